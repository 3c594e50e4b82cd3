import { Elysia } from "elysia";
import { isStorable } from "../platform/json.ts";
import { invalid, Refusal } from "../platform/refusal.ts";
import { requestInfo } from "../platform/request-info.ts";
import type { Scope } from "../wire/scopes.ts";
import { type Identifier, identify } from "./identify.ts";
import type { Actor } from "./sessions.ts";
import { refuseWithoutScope } from "./tokens.ts";

/** Marks a route that needs no sign-in. Without a word a route is for those who are signed in. */
export const isPublic = { detail: { "x-public": true } as object };

/** Marks a route that a bot's token must allow; people need no scope. */
export function needs(scope: Scope) {
  return { detail: { "x-scope": scope } as object };
}

/** What a route says of itself. */
type Marks = { "x-public"?: boolean; "x-scope"?: Scope };

const marks = new Map<string, Marks>();

/** Notes what the app's routes say of themselves; one that says nothing stays closed. */
export function readMarks(routes: { method: string; path: string; hooks: unknown }[]): void {
  for (const { method, path, hooks } of routes) {
    const { detail } = (hooks ?? {}) as { detail?: Marks };
    if (detail) marks.set(`${method} ${path}`, detail);
  }
}

/** What is a person's own, and administration. */
const CLOSED_TO_BOTS = /^\/api\/(?:auth|push|custom-themes|admin)(?:\/|$)/;
const OPEN_ALL_THE_SAME = "GET /api/auth/me";

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
    const name = `${method} ${route}`;
    if (marks.get(name)?.["x-public"]) return { actor: nobody() };
    const actor = await identify(identifier, request);
    if (actor.token) {
      if (CLOSED_TO_BOTS.test(route) && name !== OPEN_ALL_THE_SAME) {
        throw new Refusal("not_for_bots", "This is for people, not for bots.");
      }
      refuseWithoutScope(actor.token.scopes, marks.get(name)?.["x-scope"] ?? null);
    }
    // Here, so that no route of theirs can forget it.
    if (route.startsWith("/api/admin") && !actor.isSiteAdmin) {
      throw new Refusal("not_site_admin", "Only site administrators may do this.");
    }
    renewCookie(identifier, request, actor, set.headers);
    return { actor };
  });
}

/** A session that was made longer is so in the browser too. */
export function renewCookie(
  { cookie }: Identifier,
  request: Request,
  actor: Actor,
  headers: Record<string, unknown>,
): void {
  const token = actor.renewed ? cookie.read(request) : null;
  if (token !== null) headers["set-cookie"] = cookie.write(token);
}

/** On a public route nobody may ask who calls; reading any part of it is a mistake in the code. */
function nobody(): Actor {
  return new Proxy({} as Actor, {
    get(_, part) {
      throw new Error(`A public route has no actor (${String(part)}).`);
    },
  });
}
