import { and, eq } from "drizzle-orm";
import type { createRemoteJWKSet, JWTPayload } from "jose";
import { identities, usedLogoutTokens } from "../database/schema.ts";
import { getLogger } from "../platform/log.ts";
import { Refusal } from "../platform/refusal.ts";
import { readId } from "./claims.ts";
import { CLOCK_SECONDS, type ProviderRow, readMetadata } from "./connection.ts";
import type { ProviderDeps } from "./deps.ts";
import { endProviderSessions } from "./end-sessions.ts";
import { createProviderFetch, describeFailure } from "./request.ts";

/** OpenID Connect Back-Channel Logout 1.0: the provider ends sessions here. */

const log = getLogger("sign-in");
const EVENT = "http://schemas.openid.net/event/backchannel-logout";
/** Unknown keys are loaded at most this often, and known ones again after a minute. */
const COOLDOWN_MS = 10_000;
const KEYS_MS = 60_000;
/** For a token that does not say when it expires. */
const MAX_AGE_SECONDS = 600;
/** The last second of the year 9999: PostgreSQL reads no later time from the driver. */
const MAX_EXPIRY = 253_402_300_799 - CLOCK_SECONDS;

/**
 * Ends the sessions that a logout token is for, and closes their sockets.
 * @returns how many ended
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
    const used = await tx
      .insert(usedLogoutTokens)
      .values({ issuer: claims.iss, jti: claims.jti, expiresAt: new Date(expires * 1_000) })
      .onConflictDoNothing()
      .returning();
    if (used.length === 0) throw new Refusal("bad_request", "This logout token was used before.");
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

type LogoutClaims = {
  iss: string;
  jti: string;
  iat: number;
  exp?: number;
  sid?: string;
  sub?: string;
};

/** The checks of section 2.6. */
async function checkLogoutToken(
  deps: ProviderDeps,
  provider: ProviderRow,
  token: string,
): Promise<LogoutClaims> {
  try {
    const { jwtVerify } = await import("jose");
    const metadata = await readMetadata(deps, provider.issuer);
    const { payload, protectedHeader } = await jwtVerify(
      token,
      await keysOf(deps, String(metadata.jwks_uri)),
      {
        issuer: metadata.issuer,
        audience: provider.clientId,
        clockTolerance: CLOCK_SECONDS,
        requiredClaims: ["iat", "jti", "events"],
        ...(hasExpiry(token) ? {} : { maxTokenAge: MAX_AGE_SECONDS }),
      },
    );
    const { typ } = protectedHeader;
    if (typ !== undefined && !/^(?:application\/)?(?:logout\+)?jwt$/i.test(typ)) {
      throw new Error(`Its type is ${typ}`);
    }
    return readLogoutClaims(payload);
  } catch (error) {
    log.warn("A logout token of a provider was refused.", {
      provider: provider.slug,
      error: describeFailure(error),
    });
    throw new Refusal("bad_request", "The logout token is not valid.");
  }
}

function readLogoutClaims(payload: JWTPayload): LogoutClaims {
  const { iss, jti, iat, exp, sub, sid, events, nonce } = payload;
  const event = (events as Record<string, unknown> | null)?.[EVENT];
  if (typeof event !== "object" || event === null) throw new Error("It is not a logout token");
  // An ID token has one, and must not end sessions.
  if (nonce !== undefined) throw new Error("It has a nonce");
  if (sub === undefined && sid === undefined) throw new Error("It names nobody");
  if (iss === undefined || iat === undefined) throw new Error("It is partial");
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

type KeySet = ReturnType<typeof createRemoteJWKSet>;

async function keysOf({ discovery, egress }: ProviderDeps, uri: string): Promise<KeySet> {
  const { createRemoteJWKSet, customFetch } = await import("jose");
  const kept = discovery.keys.get(uri) as KeySet | undefined;
  if (kept) return kept;
  const keys = createRemoteJWKSet(new URL(uri), {
    cooldownDuration: COOLDOWN_MS,
    cacheMaxAge: KEYS_MS,
    [customFetch]: createProviderFetch(egress, discovery.timeoutMs),
  });
  discovery.keys.set(uri, keys);
  return keys;
}
