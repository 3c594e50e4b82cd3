import { Elysia } from "elysia";
import { authorizeCaller } from "../authentication/guard.ts";
import { isStorable } from "../platform/input/json.ts";
import { makeFieldRefusal, Refusal } from "../platform/refusal.ts";
import { requestInfo } from "../platform/http/request-info.ts";
import { createDeadline } from "../platform/concurrency/timeout.ts";
import type { Actor } from "../routing/actor.ts";
import { createReader } from "../routing/input.ts";
import { jsonResponse } from "../routing/response.ts";
import { type AnyRoute, Reply } from "../routing/route.ts";
import { errorResponse, methodNotAllowed } from "./errors.ts";
import { checkReauthentication } from "../sign-in/reauthentication.ts";
import { createRoutes, type RouteDeps } from "./routes.ts";

export type App = ReturnType<typeof createApp>;

/**
 * The time limit in seconds of routes that declare none. Statements time out earlier, unless the
 * database is unreachable.
 */
const MAX_SECONDS = 14;

/**
 * Creates the REST API. Elysia only matches paths and their parameters; the rest is in `createHandler`
 * (see docs/development/requests.md).
 * @param maxSeconds the time limit of routes that declare none
 */
export function createApp(deps: RouteDeps, maxSeconds = MAX_SECONDS) {
  const app = new Elysia().onError(({ code, error, request }) =>
    code === "NOT_FOUND" ? refuseUnmatched(request) : errorResponse(error, request),
  );
  for (const route of Object.values(createRoutes(deps)).flat()) {
    const handle = createHandler(deps, route, maxSeconds);
    app.route(route.method, route.path, handle, { parse: "none" });
  }
  app.get("/.well-known/change-password", () => Response.redirect("/profile/password", 303));
  const findMethods = createMethodTable(app.routes);
  const refuseUnmatched = (request: Request) => {
    const methods = findMethods(URL.parse(request.url)?.pathname ?? "");
    if (methods.length > 0 && !methods.includes(request.method)) {
      return methodNotAllowed(request, methods);
    }
    return errorResponse(new Refusal("not_found", "There is nothing at this address."), request);
  };
  return app;
}

/**
 * Checks a request in this order: caller, reauthentication, path, query, body. Then it calls the
 * route's handler.
 */
function createHandler(
  { database, authenticator }: RouteDeps,
  route: AnyRoute,
  maxSeconds: number,
) {
  const readInput = createReader(route);
  const maxMs = (route.maxSeconds ?? maxSeconds) * 1_000;
  return async ({ request, params }: { request: Request; params: object }): Promise<Response> => {
    requestInfo(request).route = route.path;
    if (request.url.includes("%00") || !isStorable(request.url)) {
      throw makeFieldRefusal("", "The address must not contain NUL.");
    }
    const headers = new Headers();
    const limit = createDeadline(maxMs, makeTooSlowRefusal);
    const actor = await limit(authorizeCaller(authenticator, route, request, headers));
    if (route.reauthentication === "required" && actor)
      await limit(checkReauthentication(database.db, actor));
    const input = await readInput(request, params);
    const work = route.handler({ actor: actor ?? NOBODY, ...input, request, headers });
    const isUnlimited = route.body === "file" || !(work instanceof Promise);
    return toResponse(route, await (isUnlimited ? work : limit(work)), headers);
  };
}

function makeTooSlowRefusal(): Refusal {
  const detail = "This took too long, and may still be done. Look before you try it again.";
  return new Refusal("unavailable", detail, { retryAfter: 1 });
}

/** The actor of a public route. Reading any of its fields is a programming error. */
const NOBODY = new Proxy({} as Actor, {
  get(_, field) {
    throw new Error(`A public route has no actor (${String(field)}).`);
  },
});

/** @param headers set by the checks and the handler, for example for cookies */
function toResponse({ responses }: AnyRoute, result: unknown, headers: Headers): Response {
  if (result instanceof Response) {
    for (const cookie of headers.getSetCookie()) result.headers.append("set-cookie", cookie);
    return result;
  }
  const { status, body } =
    result instanceof Reply ? result : { status: Number(Object.keys(responses)[0]), body: result };
  if (body !== undefined) return jsonResponse(JSON.stringify(body), status, headers);
  return new Response(null, { status, headers });
}

/**
 * Creates the function that finds the methods of a path, for 405 (RFC 9110, 15.5.6).
 * Patterns are compared one by one, since only refused requests get here.
 */
function createMethodTable(routes: { method: string; path: string }[]): (path: string) => string[] {
  const patterns = routes.map(({ method, path }) => ({
    methods: method === "GET" ? ["GET", "HEAD"] : [method],
    pattern: new RegExp(`^${path.replaceAll(".", "\\.").replace(/:[a-z_]+/g, "[^/]+")}/?$`),
  }));
  return (path) => {
    const matches = patterns.filter(({ pattern }) => pattern.test(path));
    return [...new Set(matches.flatMap(({ methods }) => methods))].sort();
  };
}
