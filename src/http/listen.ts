import type { Server } from "bun";
import { Refusal } from "../platform/refusal.ts";
import { IDLE_SECONDS } from "../platform/http/request-info.ts";
import type { SocketData } from "../socket/socket.ts";
import { errorResponse } from "./errors.ts";

/**
 * Larger than every route's own limit, because Bun rejects larger bodies without a problem document.
 * Bodies are read as streams, so a large one is rejected before it fills the memory.
 */
export const MAX_BODY_BYTES = 2 * 1024 ** 3;

export type Listener = Server<SocketData>;

type ListenOptions = {
  port: number;
  host: string;
  /** Seconds after which a stalled connection is closed. */
  idleSeconds?: number;
};

/**
 * Binds the port before anything else is changed, so that a second process stops here. Until `serve` is
 * called, only `GET /healthz` responds with 200: the process is alive, but not ready.
 * @throws the system's error with `code` EADDRINUSE if the port is in use
 */
export function listen({ port, host, idleSeconds = IDLE_SECONDS }: ListenOptions): Listener {
  const startingRefusal = new Refusal("unavailable", "Starting. Try again in a moment.", {
    retryAfter: 1,
  });
  return Bun.serve<SocketData>({
    port,
    hostname: host,
    idleTimeout: idleSeconds,
    maxRequestBodySize: MAX_BODY_BYTES,
    // Explicit, since Bun's default depends on NODE_ENV.
    development: false,
    websocket: { message() {} },
    fetch(request) {
      if (URL.parse(request.url)?.pathname === "/healthz") return Response.json({ status: "ok" });
      return errorResponse(startingRefusal, request);
    },
  });
}
