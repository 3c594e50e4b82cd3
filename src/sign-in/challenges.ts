import { and, eq, gt, lt, sql } from "drizzle-orm";
import { CHALLENGE_MINUTES } from "../authentication/cookies.ts";
import type { Drizzle, Query } from "../database/connect.ts";
import { loginChallenges } from "../database/schema.ts";
import { coarseNetwork } from "../platform/networks.ts";
import { Refusal } from "../platform/refusal.ts";
import { hashToken, randomToken } from "../platform/secrets/secrets.ts";

const MAX_ATTEMPTS = 5;

const expiresAt = sql`clock_timestamp() + ${sql.raw(String(CHALLENGE_MINUTES))} * interval '1 minute'`;

const isLive = gt(loginChallenges.expiresAt, sql`clock_timestamp()`);

export type Challenge = typeof loginChallenges.$inferSelect;

/**
 * Creates the challenge of a sign-in that waits for its second factor.
 * @param address of the caller: the sign-in must be finished from the same network
 * @param provider at which the sign-in began; null if it began with a password
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
    address: coarseNetwork(address),
    providerId: provider?.id,
    idpSid: provider?.sid,
    expiresAt,
  });
  return token;
}

const matchesLogin = (token: string | null, address: string) =>
  and(
    eq(loginChallenges.hash, hashToken(token ?? "")),
    eq(loginChallenges.kind, "login"),
    sql`${loginChallenges.address} is not distinct from ${coarseNetwork(address)}`,
    isLive,
  );

/** @throws Refusal `challenge_expired` */
export async function requireLoginChallenge(
  tx: Query,
  token: string | null,
  address: string,
): Promise<Challenge & { userId: string }> {
  const [row] = await tx.select().from(loginChallenges).where(matchesLogin(token, address));
  if (!row?.userId || row.tries >= MAX_ATTEMPTS) throw makeExpiredRefusal();
  return { ...row, userId: row.userId };
}

/** Call it before checking the code. @throws Refusal `challenge_expired` */
export async function countCodeAttempt(
  tx: Query,
  token: string | null,
  address: string,
): Promise<Challenge & { userId: string }> {
  const [row] = await tx
    .update(loginChallenges)
    .set({ tries: sql`${loginChallenges.tries} + 1` })
    .where(matchesLogin(token, address))
    .returning();
  if (!row?.userId || row.tries > MAX_ATTEMPTS) throw makeExpiredRefusal();
  return { ...row, userId: row.userId };
}

/** Deletes the challenge in the transaction that signs in. @throws Refusal `challenge_expired` */
export async function consumeLoginChallenge(tx: Query, { hash }: Challenge): Promise<void> {
  const rows = await tx.delete(loginChallenges).where(eq(loginChallenges.hash, hash)).returning();
  if (rows.length === 0) throw makeExpiredRefusal();
}

/** @param userId null if a passkey of any account may sign it */
export async function savePasskeyChallenge(
  tx: Query,
  challenge: string,
  kind: "passkey" | "create",
  userId: string | null,
): Promise<void> {
  await tx.insert(loginChallenges).values({ hash: hashToken(challenge), userId, kind, expiresAt });
}

/** Deletes the challenge, so that it works once. Null if unknown, used or expired. */
export async function consumePasskeyChallenge(
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

/** Reads the challenge from the data signed by the authenticator (WebAuthn, 5.8.1). */
function readChallenge(clientDataJSON: string): string | null {
  try {
    const data = JSON.parse(Buffer.from(clientDataJSON, "base64url").toString("utf8"));
    return typeof data?.challenge === "string" ? data.challenge : null;
  } catch {
    return null;
  }
}

function makeExpiredRefusal(): Refusal {
  return new Refusal(
    "challenge_expired",
    "The sign-in took too long, or had too many attempts. Sign in again.",
  );
}

export async function deleteExpiredChallenges(db: Drizzle): Promise<void> {
  await db.delete(loginChallenges).where(lt(loginChallenges.expiresAt, sql`clock_timestamp()`));
}
