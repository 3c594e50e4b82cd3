import { Elysia } from "elysia";
import { isStorable } from "../platform/json.ts";
import { invalid, Refusal } from "../platform/refusal.ts";
import { requestInfo } from "../platform/request-info.ts";
import { type Identifier, identify } from "./identify.ts";
import type { Actor } from "./sessions.ts";

/** Marks a route that needs no sign-in. Without a word a route is for people who are signed in. */
export const isPublic = { detail: { "x-public": true } as object };

const publicRoutes = new Set<string>();

/** Notes which of the app's routes are public; all others stay closed. */
export function openPublicRoutes(routes: { method: string; path: string; hooks: unknown }[]): void {
  for (const { method, path, hooks } of routes) {
    const { detail } = (hooks ?? {}) as { detail?: { "x-public"?: boolean } };
    if (detail?.["x-public"]) publicRoutes.add(`${method} ${path}`);
  }
}

/**
 * The one door: before any route of the app is validated or run, it finds out who calls. It is
 * global, so that a route which forgets it is closed all the same.
 */
export function guard(identifier: Identifier) {
  return new Elysia({ name: "guard" }).derive({ as: "global" }, async ({ request, route, set }) => {
    if (request.url.includes("%00") || !isStorable(request.url)) {
      throw invalid("", "The address must not contain NUL.");
    }
    requestInfo(request).route = route;
    const method = request.method === "HEAD" ? "GET" : request.method;
    if (publicRoutes.has(`${method} ${route}`)) return { actor: nobody() };
    const actor = await identify(identifier, request);
    // Here, so that no route of theirs can forget it.
    if (route.startsWith("/api/admin") && !actor.isSiteAdmin) {
      throw new Refusal("not_site_admin", "Only site administrators may do this.");
    }
    const token = actor.renewed ? identifier.cookie.read(request) : null;
    if (token !== null) set.headers["set-cookie"] = identifier.cookie.write(token);
    return { actor };
  });
}

/** On a public route nobody may ask who calls; reading any part of it is a mistake in the code. */
function nobody(): Actor {
  return new Proxy({} as Actor, {
    get(_, part) {
      throw new Error(`A public route has no actor (${String(part)}).`);
    },
  });
}
