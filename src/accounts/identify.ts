import type { SqlClient } from "../database/connect.ts";
import { isForeign } from "../platform/origin.ts";
import { Refusal } from "../platform/refusal.ts";
import { requestInfo } from "../platform/request-info.ts";
import type { SessionCookie } from "./cookie.ts";
import type { Actor } from "../routing/actor.ts";
import { authenticateSession } from "./sessions.ts";
import { authenticateBot } from "./tokens.ts";

const SAFE_METHODS = new Set(["GET", "HEAD", "OPTIONS"]);

export type Identifier = {
  sql: SqlClient;
  cookie: SessionCookie;
  baseUrl: string;
};

/**
 * Finds out who calls: a bot by its token, a person by the session cookie. A bearer token takes
 * precedence over a cookie.
 * @throws Refusal `unauthenticated`, `invalid_token`
 */
export async function identifyCaller(
  { sql, cookie }: Identifier,
  request: Request,
): Promise<Actor> {
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
 * Finds out who calls; null if nobody is signed in.
 * @throws Refusal `invalid_token`
 */
export async function identifyCallerIfAny(
  identifier: Identifier,
  request: Request,
): Promise<Actor | null> {
  try {
    return await identifyCaller(identifier, request);
  } catch (error) {
    if (error instanceof Refusal && error.code === "unauthenticated") return null;
    throw error;
  }
}

/**
 * Refuses requests from other sites' pages, except with safe methods or a bearer token, which browsers
 * don't attach by themselves.
 * @throws Refusal `cross_origin`
 */
export function refuseCrossOrigin(request: Request, baseUrl: string): void {
  if (SAFE_METHODS.has(request.method) || request.headers.has("authorization")) return;
  if (isForeign(request, baseUrl)) {
    throw new Refusal("cross_origin", "The request comes from a page of another site.");
  }
}
