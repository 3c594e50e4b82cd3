import type { SqlClient } from "../database/connect.ts";
import { isForeign } from "../platform/origin.ts";
import { Refusal } from "../platform/refusal.ts";
import type { SessionCookie } from "./cookie.ts";
import type { Actor } from "../routing/actor.ts";
import { findSession } from "./sessions.ts";
import { findBot } from "./tokens.ts";

const SAFE_METHODS = new Set(["GET", "HEAD", "OPTIONS"]);

export type Identifier = {
  sql: SqlClient;
  cookie: SessionCookie;
  baseUrl: string;
};

/**
 * Who calls: a bot by its token, a person by the session cookie. A bearer token counts even beside a
 * good cookie.
 * @throws Refusal `unauthenticated`, `invalid_token`
 */
export async function identify({ sql, cookie }: Identifier, request: Request): Promise<Actor> {
  const authorization = request.headers.get("authorization");
  if (authorization !== null) {
    const bot = await findBot(sql, authorization);
    if (!bot) throw new Refusal("invalid_token", "The bearer token is unknown or no longer good.");
    return bot;
  }
  const token = cookie.read(request);
  const actor = token === null ? null : await findSession(sql, token);
  if (!actor) throw new Refusal("unauthenticated", "You are not signed in. Sign in and try again.");
  return actor;
}

/**
 * Who calls, or null for nobody.
 * @throws Refusal `invalid_token`
 */
export async function identifyIfAny(by: Identifier, request: Request): Promise<Actor | null> {
  try {
    return await identify(by, request);
  } catch (error) {
    if (error instanceof Refusal && error.code === "unauthenticated") return null;
    throw error;
  }
}

/**
 * Refuses a request that changes something and comes from another site's page. Callers with a
 * bearer token carry no ambient credential and are let through.
 * @throws Refusal `cross_origin`
 */
export function refuseForeign(request: Request, baseUrl: string): void {
  if (SAFE_METHODS.has(request.method) || request.headers.has("authorization")) return;
  if (isForeign(request, baseUrl)) {
    throw new Refusal("cross_origin", "The request comes from a page of another site.");
  }
}
