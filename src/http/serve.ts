import type { Server, WebSocketHandler } from "bun";
import { type Identifier, refuseCrossOrigin } from "../accounts/identify.ts";
import { getLogger, logOften } from "../platform/log.ts";
import type { Metrics } from "../platform/metrics.ts";
import { Refusal } from "../platform/refusal.ts";
import {
  IDLE_SECONDS,
  noteRequest,
  type RequestInfo,
  requestInfo,
} from "../platform/request-info.ts";
import { upgradeToSocket } from "../socket/handshake.ts";
import type { SocketData } from "../socket/socket.ts";
import type { Drizzle } from "../database/connect.ts";
import { nameManifest } from "../team/manifest.ts";
import { isServerPath } from "../wire/paths.ts";
import type { App } from "./app.ts";
import { type Listener, MAX_BODY_BYTES } from "./listen.ts";
import { refusalResponse, toRefusal } from "./errors.ts";
import { createSecurityHeaders } from "./headers.ts";
import { createMethodTable } from "./methods.ts";
import { DOCS_PAGE, type Spa } from "./spa.ts";

const log = getLogger("http");

const MANIFEST = "/manifest.webmanifest";

type ServeDeps = {
  db: Drizzle;
  trustProxy: number;
  app: App;
  spa: Spa;
  identifier: Identifier;
  websocket: WebSocketHandler<SocketData>;
  metrics: Metrics;
  /** After how long a stalled connection is closed, if not `IDLE_SECONDS`. */
  idleSeconds?: number;
  isDraining(): boolean;
};

/**
 * Serves HTTP. Every request passes through here, and every response gets a request id and the security
 * headers.
 */
export function serve(listener: Listener, deps: ServeDeps): void {
  const common = createSecurityHeaders(deps.identifier.baseUrl, deps.spa.scriptHash);
  const headers = new Headers(common);
  const methods = createMethodTable(deps.app.routes);
  const idleSeconds = deps.idleSeconds ?? IDLE_SECONDS;
  listener.reload({
    // A reload needs these again, although `listen` has set them.
    maxRequestBodySize: MAX_BODY_BYTES,
    development: false,
    websocket: deps.websocket,
    async fetch(request, server) {
      const started = performance.now();
      const peer = server.requestIP(request)?.address ?? "";
      const info = noteRequest(request, {
        ...{ peer, trustProxy: deps.trustProxy, headers, idleSeconds },
        setTimeout: (seconds) => server.timeout(request, seconds),
      });
      const path = pathOf(request.url);
      const response = await respond(deps, methods, request, server, path).catch((error) =>
        refusalResponse(toRefusal(error, request), request),
      );
      if (!response) return undefined;
      if (!info.hasHeaders) addHeaders(response, info, common);
      const ms = performance.now() - started;
      const labels = {
        method: request.method,
        route: info.route ?? "none",
        status: response.status,
      };
      deps.metrics.httpSeconds.observe(labels, ms / 1_000);
      logRequest(request, info, path, response.status, ms);
      return response;
    },
  });
}

/** For a response that was made without those of `info`. */
function addHeaders(response: Response, info: RequestInfo, common: [string, string][]): void {
  response.headers.set("x-request-id", info.id);
  if (info.length !== null) response.headers.set("content-length", String(info.length));
  for (const [name, value] of common) {
    // Some responses have a stricter policy of their own.
    if (!response.headers.has(name)) response.headers.set(name, value);
  }
}

async function respond(
  deps: ServeDeps,
  methods: (path: string) => string[],
  request: Request,
  server: Server<SocketData>,
  path: string,
): Promise<Response | undefined> {
  const { app, spa, identifier } = deps;
  // The router searches for the path from a fixed position in the URL, which a shorter host would shift.
  if ((request.headers.get("host") ?? "").length < 4) {
    throw new Refusal("bad_request", "The Host header is missing or too short.");
  }
  if (path === MANIFEST) return serveManifest(deps, request);
  if (!isServerPath(path)) return servePage(spa, request, path);
  if (path === "/api/docs") return servePage(spa, request, DOCS_PAGE);
  if (/^\/docs(?:\/|$)/.test(path)) return serveDocs(spa, request, path);
  if (deps.isDraining() && path !== "/healthz") {
    throw new Refusal("unavailable", "Stopping. Try again in a moment.", { retryAfter: 1 });
  }
  if (path === "/ws/chat") {
    requestInfo(request).route = path;
    await upgradeToSocket(identifier, server, request);
    return undefined;
  }
  refuseCrossOrigin(request, identifier.baseUrl);
  const response = await app.fetch(request);
  const info = requestInfo(request);
  if (info.hasHeaders) return response;
  if (info.route === null) {
    // No route was matched. Patterns are compared only here, since there are a hundred of them.
    const allowed = methods(path);
    if (allowed.length > 0 && !allowed.includes(request.method)) {
      return wrongMethod(request, allowed);
    }
  }
  if (!response.headers.has("cache-control")) response.headers.set("cache-control", "no-store");
  return response;
}

/** The manifest with the team's name and logo, which change while the service runs. */
async function serveManifest({ db, spa }: ServeDeps, request: Request): Promise<Response> {
  const page = servePage(spa, request, MANIFEST);
  if (page.status !== 200 || request.method === "HEAD") return page;
  const named = await nameManifest(db, spa.manifest);
  return Response.json(named, {
    headers: { "content-type": "application/manifest+json", "cache-control": "no-cache" },
  });
}

function serveDocs(spa: Spa, request: Request, path: string): Response | Promise<Response> {
  if (request.method !== "GET" && request.method !== "HEAD")
    return wrongMethod(request, ["GET", "HEAD"]);
  return spa.serveDocs(request, path);
}

function servePage(spa: Spa, request: Request, path: string): Response {
  if (request.method !== "GET" && request.method !== "HEAD")
    return wrongMethod(request, ["GET", "HEAD"]);
  return spa.serve(request, path);
}

function wrongMethod(request: Request, allowed: string[]): Response {
  const detail = `This address answers ${allowed.join(", ")}.`;
  const response = refusalResponse(new Refusal("method_not_allowed", detail), request);
  response.headers.set("allow", allowed.join(", "));
  return response;
}

function pathOf(url: string): string {
  const start = url.indexOf("/", url.indexOf("//") + 2);
  const end = url.indexOf("?", start);
  return end === -1 ? url.slice(start) : url.slice(start, end);
}

/** Logs the route's pattern and the ids in it, never the path, since a webhook's path has its token. */
function logRequest(
  request: Request,
  info: RequestInfo,
  path: string,
  status: number,
  ms: number,
): void {
  const line = {
    request_id: info.id,
    method: request.method,
    route: info.route ?? "none",
    ...info.ids,
    status,
    ms: Math.round(ms * 10) / 10,
    address: info.address,
  };
  if (status >= 500) log.warn("request", line);
  else if (isServerPath(path)) logOften("http", "request", line);
  else log.debug("request", line);
}
