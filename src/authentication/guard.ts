import type { SqlClient } from "../database/connect.ts";
import { isForeign } from "../platform/http/origin.ts";
import { Refusal } from "../platform/refusal.ts";
import { requestInfo } from "../platform/http/request-info.ts";
import type { Actor } from "../routing/actor.ts";
import type { Access } from "../routing/route.ts";
import { USER_HEADER } from "../wire/user-header.ts";
import type { Cookie } from "./cookies.ts";
import { authenticateSession } from "./sessions.ts";
import { authenticateBot, refuseWithoutScope } from "./tokens.ts";

const SAFE_METHODS = new Set(["GET", "HEAD", "OPTIONS"]);

export type Authenticator = {
  sql: SqlClient;
  cookie: Cookie;
  baseUrl: string;
};

/**
 * Authenticates a bot by its token or a person by the session cookie. A bearer token takes precedence.
 * @throws Refusal `unauthenticated`, `invalid_token`; `user_mismatch` if the request is for another user
 */
export async function authenticateCaller(
  authenticator: Authenticator,
  request: Request,
): Promise<Actor> {
  const actor = await readCaller(authenticator, request);
  const userId = request.headers.get(USER_HEADER);
  if (userId !== null && userId.toLowerCase() !== actor.id) {
    const detail = "The request is for another user than the one who is signed in.";
    throw new Refusal("user_mismatch", detail);
  }
  return actor;
}

async function readCaller({ sql, cookie }: Authenticator, request: Request): Promise<Actor> {
  const authorization = request.headers.get("authorization");
  if (authorization !== null) {
    const bot = await authenticateBot(sql, authorization);
    if (!bot) throw new Refusal("invalid_token", "The bearer token is unknown or no longer valid.");
    return bot;
  }
  const token = cookie.read(request);
  const actor =
    token === null ? null : await authenticateSession(sql, token, requestInfo(request).address);
  if (!actor) throw new Refusal("unauthenticated", "You are not signed in. Sign in and try again.");
  return actor;
}

/**
 * Returns the user who is signed in, whether or not the request is for them; null if nobody is.
 * @throws Refusal `invalid_token`
 */
export async function authenticateCallerIfAny(
  authenticator: Authenticator,
  request: Request,
): Promise<Actor | null> {
  try {
    return await readCaller(authenticator, request);
  } catch (error) {
    if (error instanceof Refusal && error.code === "unauthenticated") return null;
    throw error;
  }
}

/**
 * Refuses requests from pages of other sites, except with safe methods or with bearer tokens, which
 * browsers do not attach by themselves.
 * @throws Refusal `cross_origin`
 */
export function refuseCrossOrigin(request: Request, baseUrl: string): void {
  if (SAFE_METHODS.has(request.method) || request.headers.has("authorization")) return;
  if (isForeign(request, baseUrl)) {
    throw new Refusal("cross_origin", "The request comes from a page of another site.");
  }
}

/**
 * Authenticates and authorizes the caller of a route, before anything else of the request is read.
 * A restricted session may only call routes under `/api/auth/`.
 * @param headers of the response, which set the cookie of an extended session again
 * @returns null on a public route
 * @throws Refusal `unauthenticated`, `invalid_token`, `user_mismatch`, `second_factor_required`,
 * `not_for_bots`, `insufficient_scope`, `not_site_admin`
 */
export async function authorizeCaller(
  authenticator: Authenticator,
  { access, path }: { access: Access; path: string },
  request: Request,
  headers: Headers,
): Promise<Actor | null> {
  if (access === "public") return null;
  const actor = await authenticateCaller(authenticator, request);
  if (actor.isRestricted && !path.startsWith("/api/auth/")) throw makeRestrictedRefusal();
  if (actor.token && access !== "signed-in") {
    if (access === "person" || access === "administrator") {
      throw new Refusal("not_for_bots", "Bots cannot use this.");
    }
    refuseWithoutScope(actor.token.scopes, access);
  }
  if (access === "administrator" && !actor.isSiteAdmin) {
    throw new Refusal("not_site_admin", "Only site administrators may do this.");
  }
  if (actor.wasRenewed) renewCookie(authenticator, request, headers);
  return actor;
}

export function makeRestrictedRefusal(): Refusal {
  return new Refusal(
    "second_factor_required",
    "This site requires a second factor. Turn one on to continue.",
  );
}

/** Sends the cookie of an extended session again, with its new expiry. */
export function renewCookie({ cookie }: Authenticator, request: Request, headers: Headers): void {
  const token = cookie.read(request);
  if (token !== null) headers.set("set-cookie", cookie.write(token));
}
