import { and, eq, lt, sql } from "drizzle-orm";
import type { JWTPayload } from "jose";
import type { Drizzle } from "../database/connect.ts";
import { identities, usedLogoutTokens } from "../database/schema.ts";
import { getLogger } from "../platform/log.ts";
import { Refusal } from "../platform/refusal.ts";
import { readId } from "./claims.ts";
import { CLOCK_SECONDS, type ProviderRow, readMetadata, sharedKeys } from "./connection.ts";
import type { ProviderDeps } from "./deps.ts";
import { endProviderSessions } from "../authentication/sessions.ts";
import { describeFailure } from "./request.ts";

/** OpenID Connect Back-Channel Logout 1.0: a provider ends the sessions that began there. */

const log = getLogger("sign-in");
const EVENT = "http://schemas.openid.net/event/backchannel-logout";
/** How long a token without `exp` is valid. */
const MAX_AGE_SECONDS = 600;
/** The end of the year 9999: PostgreSQL cannot parse the driver's format of later years. */
const MAX_EXPIRY = 253_402_300_799 - CLOCK_SECONDS;

/**
 * Ends the sessions that a logout token names, and closes their sockets.
 * @returns the number of sessions that ended
 * @throws Refusal `bad_request` for an invalid or used token
 */
export async function endByLogoutToken(
  deps: ProviderDeps,
  provider: ProviderRow,
  token: string,
): Promise<number> {
  const claims = await checkLogoutToken(deps, provider, token);
  return deps.database.db.transaction(async (tx) => {
    const expires = (claims.exp ?? claims.iat + MAX_AGE_SECONDS) + CLOCK_SECONDS;
    const newTokens = await tx
      .insert(usedLogoutTokens)
      .values({ issuer: claims.iss, jti: claims.jti, expiresAt: new Date(expires * 1_000) })
      .onConflictDoNothing()
      .returning();
    if (newTokens.length === 0) {
      throw new Refusal("bad_request", "This logout token was already used.");
    }
    const { sid, sub } = claims;
    if (sub === undefined) return endProviderSessions(tx, provider.id, { sid });
    const owners = await tx
      .select({ userId: identities.userId })
      .from(identities)
      .where(and(eq(identities.issuer, claims.iss), eq(identities.subject, sub)));
    const userIds = owners.map(({ userId }) => userId);
    return userIds.length === 0 ? 0 : endProviderSessions(tx, provider.id, { sid, userIds });
  });
}

/** Back-Channel Logout 1.0, 2.6. */
async function checkLogoutToken(deps: ProviderDeps, provider: ProviderRow, token: string) {
  try {
    const { jwtVerify } = await import("jose");
    const metadata = await readMetadata(deps, provider.issuer);
    const { payload, protectedHeader } = await jwtVerify(token, await sharedKeys(deps, metadata), {
      issuer: metadata.issuer,
      audience: provider.clientId,
      clockTolerance: CLOCK_SECONDS,
      requiredClaims: ["iat", "jti", "events"],
      ...(hasExpiry(token) ? {} : { maxTokenAge: MAX_AGE_SECONDS }),
    });
    const { typ } = protectedHeader;
    if (typ !== undefined && !/^(?:application\/)?(?:logout\+)?jwt$/i.test(typ)) {
      throw new Error(`Its type is ${typ}`);
    }
    return readLogoutClaims(payload);
  } catch (error) {
    log.warn("Refused a logout token of a provider.", {
      provider: provider.slug,
      error: describeFailure(error),
    });
    throw new Refusal("bad_request", "The logout token is not valid.");
  }
}

function readLogoutClaims(payload: JWTPayload) {
  const { iss, jti, iat, exp, sub, sid, events, nonce } = payload;
  const event = (events as Record<string, unknown> | null)?.[EVENT];
  if (typeof event !== "object" || event === null) throw new Error("It is not a logout token");
  // An ID token has a nonce. It must not be accepted as a logout token.
  if (nonce !== undefined) throw new Error("It has a nonce");
  if (sub === undefined && sid === undefined) throw new Error("It has neither sub nor sid");
  if (iss === undefined || iat === undefined) throw new Error("It lacks iss or iat");
  if (exp !== undefined && exp > MAX_EXPIRY) throw new Error("It expires too late");
  const requireId = (name: string, value: unknown) => {
    const id = readId(value);
    if (id === null) throw new Error(`Its ${name} is not 1 to 255 storable characters`);
    return id;
  };
  return {
    iss,
    iat,
    exp,
    jti: requireId("jti", jti),
    sub: sub === undefined ? undefined : requireId("sub", sub),
    sid: sid === undefined ? undefined : requireId("sid", sid),
  };
}

function hasExpiry(token: string): boolean {
  try {
    const [, payload = ""] = token.split(".");
    return "exp" in JSON.parse(Buffer.from(payload, "base64url").toString("utf8"));
  } catch {
    return false;
  }
}

export async function deleteExpiredLogoutTokens(db: Drizzle): Promise<void> {
  await db.delete(usedLogoutTokens).where(lt(usedLogoutTokens.expiresAt, sql`clock_timestamp()`));
}
