import { Refusal } from "../platform/refusal.ts";
import type { Actor } from "../routing/actor.ts";
import type { Access } from "../routing/route.ts";
import { type Identifier, identifyCaller } from "./identify.ts";
import { refuseWithoutScope } from "./tokens.ts";

/**
 * Authenticates and authorizes the caller of a route, before anything else of the request is read.
 * @param headers of the response: the cookie of an extended session is set again
 * @returns null on a public route
 * @param route who may call it; a restricted session may only call those under `/api/auth/`
 * @throws Refusal `unauthenticated`, `invalid_token`, `second_factor_required`, `not_for_bots`,
 * `insufficient_scope`, `not_site_admin`
 */
export async function authorizeCaller(
  identifier: Identifier,
  { access, path }: { access: Access; path: string },
  request: Request,
  headers: Headers,
): Promise<Actor | null> {
  if (access === "public") return null;
  const actor = await identifyCaller(identifier, request);
  refuseCaller(actor, { access, path });
  renewCookie(identifier, request, actor, headers);
  return actor;
}

/** @throws Refusal as `authorizeCaller`, but for those of a credential */
export function refuseCaller(
  actor: Actor,
  { access, path }: { access: Access; path: string },
): void {
  if (actor.isRestricted && !path.startsWith("/api/auth/")) throw makeRestricted();
  if (actor.token && access !== "signed-in") {
    if (access === "person" || access === "administrator") {
      throw new Refusal("not_for_bots", "Bots cannot use this.");
    }
    if (access !== "public") refuseWithoutScope(actor.token.scopes, access);
  }
  if (access === "administrator" && !actor.isSiteAdmin) {
    throw new Refusal("not_site_admin", "Only site administrators may do this.");
  }
}

/** The refusal of a session whose user must turn on a second factor first. */
export function makeRestricted(): Refusal {
  return new Refusal(
    "second_factor_required",
    "This site requires a second factor. Turn one on, and everything is there again.",
  );
}

/** Sets the cookie again if the session was extended. */
export function renewCookie(
  { cookie }: Identifier,
  request: Request,
  actor: Actor,
  headers: Headers,
): void {
  const token = actor.renewed ? cookie.read(request) : null;
  if (token !== null) headers.set("set-cookie", cookie.write(token));
}
