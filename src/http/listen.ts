import type { Server } from "bun";
import { Refusal } from "../platform/refusal.ts";
import { IDLE_SECONDS } from "../platform/request-info.ts";
import type { SocketData } from "../socket/socket.ts";
import { refusalResponse } from "./errors.ts";

/**
 * Above every route's own limit: past this one Bun answers itself, without a problem document. Bodies
 * are read as streams, so that a large one is refused before it fills the memory.
 */
export const MAX_BODY_BYTES = 2 * 1024 ** 3;

export type Listener = Server<SocketData>;

type ListenOptions = {
  port: number;
  host: string;
  /** After how long a stalled connection is closed. */
  idleSeconds?: number;
};

/**
 * Takes the port before anything else is changed, so that a second start ends here. Until `serve`, only
 * `GET /healthz` answers 200: the process lives, but does not take requests.
 * @throws the system's error with `code` EADDRINUSE when the port is taken
 */
export function listen({ port, host, idleSeconds = IDLE_SECONDS }: ListenOptions): Listener {
  return Bun.serve<SocketData>({
    port,
    hostname: host,
    idleTimeout: idleSeconds,
    maxRequestBodySize: MAX_BODY_BYTES,
    // The same whatever NODE_ENV says.
    development: false,
    websocket: { message() {} },
    fetch(request) {
      if (URL.parse(request.url)?.pathname === "/healthz") return Response.json({ status: "ok" });
      const starting = new Refusal("unavailable", "Starting. Try again in a moment.", {
        retryAfter: 1,
      });
      return refusalResponse(starting, request);
    },
  });
}
