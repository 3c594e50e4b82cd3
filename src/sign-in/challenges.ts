import { and, eq, gt, type Placeholder, sql } from "drizzle-orm";
import { CHALLENGE_MINUTES } from "../accounts/cookie.ts";
import type { Query } from "../database/connect.ts";
import { type Params, prepareQuery } from "../database/prepared.ts";
import { loginChallenges } from "../database/schema.ts";
import { networkClass } from "../platform/network-class.ts";
import { Refusal } from "../platform/refusal.ts";
import { hashToken, randomToken } from "../platform/secrets.ts";

/** A sign-in that waits for its second factor ends after this many wrong codes. */
const MAX_TRIES = 5;

const expiresAt = sql`clock_timestamp() + ${sql.raw(String(CHALLENGE_MINUTES))} * interval '1 minute'`;
const isLive = gt(loginChallenges.expiresAt, sql`clock_timestamp()`);

export type Challenge = typeof loginChallenges.$inferSelect;

/**
 * Begins the wait for a second factor.
 * @param address the caller's: only the same network may finish
 * @param provider where the sign-in began, if not with a password
 * @returns the cookie's value, of which only the hash is stored
 */
export async function createLoginChallenge(
  tx: Query,
  userId: string,
  address: string,
  provider: { id: string; sid: string | null } | null = null,
): Promise<string> {
  const token = randomToken();
  await tx.insert(loginChallenges).values({
    hash: hashToken(token),
    userId,
    kind: "login",
    address: networkClass(address),
    providerId: provider?.id,
    idpSid: provider?.sid,
    expiresAt,
  });
  return token;
}

const matchesLogin = (hash: Buffer | Placeholder, address: string | null | Placeholder) =>
  and(
    eq(loginChallenges.hash, hash),
    eq(loginChallenges.kind, "login"),
    sql`${loginChallenges.address} is not distinct from ${address}`,
    isLive,
  );

const findLogin = prepareQuery(
  "find_login_challenge",
  (db, params: Params<{ hash: Buffer; address: string | null }>) =>
    db.select().from(loginChallenges).where(matchesLogin(params.hash, params.address)),
);

/** Finds the sign-in that waits. @throws Refusal `challenge_expired` */
export async function requireLoginChallenge(
  tx: Query,
  token: string | null,
  address: string,
): Promise<Challenge & { userId: string }> {
  const [row] =
    token === null
      ? []
      : await findLogin(tx, { hash: hashToken(token), address: networkClass(address) });
  if (!row?.userId || row.tries >= MAX_TRIES) throw makeExpired();
  return { ...row, userId: row.userId };
}

/**
 * Counts an attempt before its code is checked, so that concurrent attempts count too.
 * @throws Refusal `challenge_expired`
 */
export async function countTry(
  tx: Query,
  token: string | null,
  address: string,
): Promise<Challenge & { userId: string }> {
  const [row] =
    token === null
      ? []
      : await tx
          .update(loginChallenges)
          .set({ tries: sql`${loginChallenges.tries} + 1` })
          .where(matchesLogin(hashToken(token), networkClass(address)))
          .returning();
  if (!row?.userId || row.tries > MAX_TRIES) throw makeExpired();
  return { ...row, userId: row.userId };
}

/** Ends a wait, in the transaction of what it was for. @throws Refusal `challenge_expired` */
export async function useLoginChallenge(tx: Query, { hash }: Challenge): Promise<void> {
  const used = await tx.delete(loginChallenges).where(eq(loginChallenges.hash, hash)).returning();
  if (used.length === 0) throw makeExpired();
}

/**
 * Stores a passkey's challenge, by which the answer is found.
 * @param userId null: any account may answer
 */
export async function savePasskeyChallenge(
  tx: Query,
  challenge: string,
  kind: "passkey" | "create",
  userId: string | null,
): Promise<void> {
  await tx.insert(loginChallenges).values({ hash: hashToken(challenge), userId, kind, expiresAt });
}

/**
 * Takes the challenge of an answer out of the table: it works once.
 * @returns the challenge and its account; null if it is unknown, used or expired
 */
export async function takePasskeyChallenge(
  tx: Query,
  kind: "passkey" | "create",
  clientDataJSON: string,
): Promise<{ challenge: string; userId: string | null } | null> {
  const challenge = readChallenge(clientDataJSON);
  if (challenge === null) return null;
  const [row] = await tx
    .delete(loginChallenges)
    .where(
      and(eq(loginChallenges.hash, hashToken(challenge)), eq(loginChallenges.kind, kind), isLive),
    )
    .returning();
  return row ? { challenge, userId: row.userId } : null;
}

/** The challenge that an authenticator says it has signed (WebAuthn, 5.8.1). */
function readChallenge(clientDataJSON: string): string | null {
  try {
    const data = JSON.parse(Buffer.from(clientDataJSON, "base64url").toString("utf8"));
    return typeof data?.challenge === "string" ? data.challenge : null;
  } catch {
    return null;
  }
}

function makeExpired(): Refusal {
  return new Refusal("challenge_expired", "This took too long, or too many tries. Sign in again.");
}
