import { Memoirist } from "memoirist";
import { type Authenticator, authorizeCaller } from "../authentication/guard.ts";
import type { Query } from "../database/connect.ts";
import { isStorable } from "../platform/input/json.ts";
import { makeInvalid, Refusal } from "../platform/refusal.ts";
import { requestInfo } from "../platform/http/request-info.ts";
import { createDeadline } from "../platform/concurrency/timeout.ts";
import type { Actor } from "../routing/actor.ts";
import { createReader } from "../routing/input.ts";
import { jsonResponse } from "../routing/response.ts";
import { type AnyRoute, Reply } from "../routing/route.ts";
import { methodNotAllowed } from "./errors.ts";
import { checkReauthentication } from "../sign-in/reauthentication.ts";
import { createRoutes, type RouteDeps } from "./routes.ts";

export type App = ReturnType<typeof createApp>;

/**
 * The time limit in seconds of routes that declare none. Statements time out earlier, unless the
 * database is unreachable.
 */
const MAX_SECONDS = 14;

/** The methods of routes. `HEAD` is handled as `GET`, and Bun omits the body. */
const METHODS = ["DELETE", "GET", "PATCH", "POST", "PUT"];

type Handle = (request: Request, params: object) => Response | Promise<Response>;

/**
 * Creates the REST API. Memoirist only matches paths and their parameters; the rest is in `createHandler`
 * (see docs/development/requests.md).
 * @param maxSeconds the time limit of routes that declare none
 */
export function createApp(deps: RouteDeps, maxSeconds = MAX_SECONDS) {
  const router = new Memoirist<Handle>({ onParam: decodeParam });
  for (const route of Object.values(createRoutes(deps)).flat()) {
    const handle = createHandler(deps.database.db, deps.authenticator, route, maxSeconds);
    router.add(route.method, route.path, handle);
  }
  router.add("GET", "/.well-known/change-password", () =>
    Response.redirect("/profile/password", 303),
  );
  return {
    /** Every method and path that is served. */
    routes: router.history.map(([method, path]) => ({ method, path })),
    /**
     * @param path of the request, as it was sent
     * @throws Refusal `not_found`; those of the route
     */
    async fetch(request: Request, path: string): Promise<Response> {
      const address = path.replace(/\/$/, "");
      const match = router.find(request.method === "HEAD" ? "GET" : request.method, address);
      if (match) return match.store(request, match.params);
      const methods = METHODS.filter((method) => router.find(method, address));
      if (methods.length === 0) {
        throw new Refusal("not_found", "There is nothing at this address.");
      }
      if (methods.includes("GET")) methods.push("HEAD");
      // RFC 9110, 15.5.6.
      return methodNotAllowed(request, methods.sort());
    },
  };
}

/** Decodes a parameter of a path. One that cannot be decoded matches no id. */
function decodeParam(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}

/**
 * Checks a request in this order: caller, reauthentication, path, query, body. Then it calls the
 * route's handler.
 */
function createHandler(
  db: Query,
  authenticator: Authenticator,
  route: AnyRoute,
  maxSeconds: number,
): Handle {
  const readInput = createReader(route);
  const maxMs = (route.maxSeconds ?? maxSeconds) * 1_000;
  return async (request: Request, params: object): Promise<Response> => {
    requestInfo(request).route = route.path;
    if (request.url.includes("%00") || !isStorable(request.url)) {
      throw makeInvalid("", "The address must not contain NUL.");
    }
    const headers = new Headers();
    const limit = createDeadline(maxMs, makeTooSlow);
    const actor = await limit(authorizeCaller(authenticator, route, request, headers));
    if (route.reauthentication === "required" && actor)
      await limit(checkReauthentication(db, actor));
    const input = await readInput(request, params);
    const work = route.handler({ actor: actor ?? NOBODY, ...input, request, headers });
    const isUnlimited = route.body === "file" || !(work instanceof Promise);
    return toResponse(route, await (isUnlimited ? work : limit(work)), headers);
  };
}

function makeTooSlow(): Refusal {
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
