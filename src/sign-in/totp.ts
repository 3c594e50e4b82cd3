import { and, eq, sql } from "drizzle-orm";
import { lockSession, lockUser } from "../accounts/lock-user.ts";
import { sessionLimit } from "../accounts/login-limits.ts";
import { endSessions, sessionIdOf } from "../accounts/sessions.ts";
import { totp } from "../database/schema.ts";
import { Refusal } from "../platform/refusal.ts";
import { sealValue, unsealValue } from "../platform/sealed.ts";
import { countAttempt, forgiveAttempt } from "../rate-limits/rate-limits.ts";
import type { Actor } from "../routing/actor.ts";
import { readSiteName } from "../team/read.ts";
import type { TotpConfirmed, TotpSecret } from "../wire/sign-in.ts";
import { TOTP_SECRET, makeWrongCode } from "./check-factor.ts";
import type { SignInDeps } from "./deps.ts";
import { lockForChange, noteFactorAdded, noteFactorRemoved } from "./factors.ts";

/**
 * Begins to set up an authenticator app. One that is in use stays so until the new one is confirmed.
 */
export async function beginTotp(
  { database: { db }, readKey, baseUrl }: SignInDeps,
  actor: Actor,
): Promise<TotpSecret> {
  const { generateTotpSecret, totpUri } = await import("./totp-codes.ts");
  const secret = generateTotpSecret();
  const site = await readSiteName(db, baseUrl);
  await db.transaction(async (tx) => {
    await lockForChange(tx, actor);
    // Lock before reading the key: a key rotation locks this table until the new key is in place.
    await tx.execute(sql`lock table ${totp} in row exclusive mode`);
    const nextSecret = sealValue(await readKey(), TOTP_SECRET, secret);
    await tx
      .insert(totp)
      .values({ userId: actor.id, nextSecret })
      .onConflictDoUpdate({ target: totp.userId, set: { nextSecret } });
  });
  return { secret, uri: totpUri(secret, site, actor.username) };
}

/**
 * Confirms the app with one of its codes, which is used up by it. It replaces the previous app, and
 * the other sessions end.
 * @throws Refusal `invalid_code`, `rate_limited`
 */
export async function confirmTotp(
  { database: { db }, readKey }: SignInDeps,
  actor: Actor,
  code: string,
): Promise<TotpConfirmed> {
  const limits = [sessionLimit(actor)];
  await countAttempt(db, limits);
  const [row] = await db.select().from(totp).where(eq(totp.userId, actor.id));
  if (!row?.nextSecret) throw notBegun();
  const { nextSecret } = row;
  const { findTotpStep } = await import("./totp-codes.ts");
  const step = findTotpStep(unsealValue(await readKey(), TOTP_SECRET, nextSecret), code);
  if (step === null) throw makeWrongCode();
  const recovery_codes = await db.transaction(async (tx) => {
    const user = await lockUser(tx, { id: actor.id });
    await lockSession(tx, actor);
    const confirmed = await tx
      .update(totp)
      .set({
        secret: nextSecret,
        nextSecret: null,
        lastStep: step,
        confirmedAt: sql`clock_timestamp()`,
      })
      .where(and(eq(totp.userId, actor.id), eq(totp.nextSecret, nextSecret)))
      .returning({ userId: totp.userId });
    if (confirmed.length === 0 || !user.isActive) throw notBegun();
    const replaces = row.secret !== null && user.secondFactorAt !== null;
    if (replaces) await endSessions(tx, user.id, { except: sessionIdOf(actor) });
    return noteFactorAdded(tx, user, "totp_added");
  });
  await forgiveAttempt(db, limits);
  return { recovery_codes };
}

/** @throws Refusal `not_found`, `last_factor`, `no_emergency_account` */
export async function removeTotp({ database: { db } }: SignInDeps, actor: Actor): Promise<void> {
  await db.transaction(async (tx) => {
    const user = await lockForChange(tx, actor);
    const removed = await tx.delete(totp).where(eq(totp.userId, actor.id)).returning();
    if (removed.length === 0) throw new Refusal("not_found", "You have no authenticator app.");
    // An app that was never confirmed was not a factor.
    if (removed[0]?.secret) await noteFactorRemoved(tx, user, actor, "totp_removed");
  });
}

function notBegun(): Refusal {
  return new Refusal("invalid_code", "Set up the app again, then type its newest code.");
}
