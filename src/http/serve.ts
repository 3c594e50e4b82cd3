import type { Server, WebSocketHandler } from "bun";
import { type Authenticator, refuseCrossOrigin } from "../authentication/guard.ts";
import { getLogger } from "../platform/log.ts";
import type { Metrics } from "../platform/metrics.ts";
import { Refusal } from "../platform/refusal.ts";
import { IDLE_SECONDS, recordRequest, requestInfo } from "../platform/http/request-info.ts";
import { upgradeToSocket } from "../socket/handshake.ts";
import type { SocketData } from "../socket/socket.ts";
import type { Drizzle } from "../database/connect.ts";
import { buildManifest } from "../team/read.ts";
import { isServerPath } from "../wire/paths.ts";
import type { App } from "./app.ts";
import { type Listener, MAX_BODY_BYTES } from "./listen.ts";
import { errorResponse, methodNotAllowed } from "./errors.ts";
import { createDefaultHeaders } from "./headers.ts";
import { DOCS_PAGE, type Spa } from "./spa.ts";

const log = getLogger("http");

const MANIFEST = "/manifest.webmanifest";

type ServeDeps = {
  db: Drizzle;
  trustProxy: number;
  app: App;
  spa: Spa;
  authenticator: Authenticator;
  websocket: WebSocketHandler<SocketData>;
  metrics: Metrics;
  /** Seconds after which a stalled connection is closed; `IDLE_SECONDS` by default. */
  idleSeconds?: number;
  isDraining(): boolean;
};

/**
 * Serves HTTP. Every request passes through here, and every response gets a request id and the default
 * headers.
 */
export function serve(listener: Listener, deps: ServeDeps): void {
  const defaultHeaders = createDefaultHeaders(deps.authenticator.baseUrl, deps.spa.scriptHash);
  const idleSeconds = deps.idleSeconds ?? IDLE_SECONDS;
  listener.reload({
    // `reload` replaces all options, so what `listen` has set is repeated here.
    maxRequestBodySize: MAX_BODY_BYTES,
    development: false,
    websocket: deps.websocket,
    async fetch(request, server) {
      const startedAt = performance.now();
      const peer = server.requestIP(request)?.address ?? "";
      const info = recordRequest(request, {
        peer,
        trustProxy: deps.trustProxy,
        idleSeconds,
        setTimeout: (seconds) => server.timeout(request, seconds),
      });
      const path = pathOf(request.url);
      const response = await respond(deps, request, server, path).catch((error) =>
        errorResponse(error, request),
      );
      // The request was upgraded to a WebSocket.
      if (!response) return undefined;
      const { headers, status } = response;
      headers.set("x-request-id", info.id);
      if (info.length !== null) headers.set("content-length", String(info.length));
      for (const [name, value] of defaultHeaders) {
        if (!headers.has(name)) headers.set(name, value);
      }
      const ms = performance.now() - startedAt;
      const { method } = request;
      const route = info.route ?? "none";
      deps.metrics.httpSeconds.observe({ method, route, status }, ms / 1_000);
      // The route's pattern and the ids in it, but never the path: a webhook's path contains its token.
      const line = {
        request_id: info.id,
        method,
        route,
        ...info.ids,
        status,
        ms: Math.round(ms * 10) / 10,
        address: info.address,
      };
      if (status >= 500) log.warn("request", line);
      else if (isServerPath(path)) log.info("request", line);
      else log.debug("request", line);
      return response;
    },
  });
}

/** @returns undefined if the request was upgraded to a WebSocket */
async function respond(
  deps: ServeDeps,
  request: Request,
  server: Server<SocketData>,
  path: string,
): Promise<Response | undefined> {
  // Elysia looks for the path from a fixed position in the URL, which a shorter host would shift.
  if ((request.headers.get("host") ?? "").length < 4) {
    throw new Refusal("bad_request", "The Host header is missing or too short.");
  }
  const isPage = !isServerPath(path) || path === "/api/docs" || /^\/docs(?:\/|$)/.test(path);
  if (isPage) return servePage(deps, request, path);
  if (deps.isDraining() && path !== "/healthz") {
    throw new Refusal("unavailable", "Stopping. Try again in a moment.", { retryAfter: 1 });
  }
  if (path === "/ws/chat") {
    requestInfo(request).route = path;
    await upgradeToSocket(deps.authenticator, server, request);
    return undefined;
  }
  refuseCrossOrigin(request, deps.authenticator.baseUrl);
  return deps.app.fetch(request);
}

/** Serves the client, and the documentation of the product and of the API. */
async function servePage(
  { db, spa, authenticator }: ServeDeps,
  request: Request,
  path: string,
): Promise<Response> {
  if (request.method !== "GET" && request.method !== "HEAD") {
    return methodNotAllowed(request, ["GET", "HEAD"]);
  }
  if (path === "/api/docs") return spa.serve(request, DOCS_PAGE);
  if (isServerPath(path)) return spa.serveDocs(request, path);
  const asset = spa.serve(request, path, authenticator.cookie.read(request) === null);
  if (path !== MANIFEST || asset.status !== 200 || request.method === "HEAD") return asset;
  // The team's name and logo change while the service runs.
  return Response.json(await buildManifest(db, spa.manifest), {
    headers: { "content-type": "application/manifest+json", "cache-control": "no-cache" },
  });
}

/** The path exactly as sent: `URL` would normalize it, and fails without a Host header. */
function pathOf(url: string): string {
  const start = url.indexOf("/", url.indexOf("//") + 2);
  const end = url.indexOf("?", start);
  return end === -1 ? url.slice(start) : url.slice(start, end);
}
