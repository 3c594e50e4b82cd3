import { and, eq, isNotNull, lt, sql } from "drizzle-orm";
import { endSessions, lockSession, sessionIdOf } from "../authentication/sessions.ts";
import { totp } from "../database/schema.ts";
import { Refusal } from "../platform/refusal.ts";
import { sealValue, unsealValue } from "../platform/secrets/sealed.ts";
import { limitFailures } from "../rate-limits/rate-limits.ts";
import type { Actor } from "../routing/actor.ts";
import { readSiteName } from "../team/read.ts";
import { lockUser } from "../users/users.ts";
import type { TotpConfirmed, TotpSecret } from "../wire/sign-in.ts";
import type { SignInDeps } from "./deps.ts";
import { sessionLimit } from "./limits.ts";
import { makeWrongCodeRefusal } from "./recovery-codes.ts";
import {
  lockOwnAccount,
  finishAddingFactor,
  finishRemovingFactor,
  type ConsumeFactor,
} from "./second-factor.ts";
import { lockForKey } from "../database/tables.ts";

/** The purpose of sealed TOTP secrets, also used by `secrets rotate`. */
export const TOTP_SECRET = "TOTP secret";
/** The parameters of RFC 6238 that all authenticator apps support. */
const PARAMS = { algorithm: "SHA1", digits: 6, period: 30 } as const;

const loadOtpauth = () => import("otpauth");

/** The current app stays in use until the new one is confirmed. */
export async function beginTotp(
  { database: { db }, readKey, baseUrl }: SignInDeps,
  actor: Actor,
): Promise<TotpSecret> {
  const { Secret, TOTP } = await loadOtpauth();
  // 160 bits (RFC 4226, 4).
  const secret = new Secret({ size: 20 }).base32;
  const site = await readSiteName(db, baseUrl);
  await db.transaction(async (tx) => {
    await lockOwnAccount(tx, actor);
    await lockForKey(tx, totp);
    const nextSecret = sealValue(await readKey(), TOTP_SECRET, secret);
    await tx
      .insert(totp)
      .values({ userId: actor.id, nextSecret })
      .onConflictDoUpdate({ target: totp.userId, set: { nextSecret } });
  });
  const uri = new TOTP({ ...PARAMS, secret, issuer: site, label: actor.username }).toString();
  return { secret, uri };
}

/**
 * Confirms the app with one of its codes, which cannot be used again. If it replaces an app, the other
 * sessions end.
 * @throws Refusal `invalid_code`, `rate_limited`
 */
export async function confirmTotp(
  { database: { db }, readKey }: SignInDeps,
  actor: Actor,
  code: string,
): Promise<TotpConfirmed> {
  const limits = [sessionLimit(actor)];
  const recovery_codes = await limitFailures(db, limits, async () => {
    const [row] = await db.select().from(totp).where(eq(totp.userId, actor.id));
    if (!row?.nextSecret) throw makeNotBegunRefusal();
    const { nextSecret } = row;
    const step = await findTotpStep(unsealValue(await readKey(), TOTP_SECRET, nextSecret), code);
    if (step === null) throw makeWrongCodeRefusal();
    return db.transaction(async (tx) => {
      const user = await lockUser(tx, { id: actor.id });
      await lockSession(tx, actor);
      const confirmedApps = await tx
        .update(totp)
        .set({
          secret: nextSecret,
          nextSecret: null,
          lastStep: step,
          confirmedAt: sql`clock_timestamp()`,
        })
        .where(and(eq(totp.userId, actor.id), eq(totp.nextSecret, nextSecret)))
        .returning({ userId: totp.userId });
      if (confirmedApps.length === 0 || !user.isActive) throw makeNotBegunRefusal();
      const replaces = row.secret !== null && user.secondFactorAt !== null;
      if (replaces) await endSessions(tx, user.id, { except: sessionIdOf(actor) });
      return finishAddingFactor(tx, user, "totp_added");
    });
  });
  return { recovery_codes };
}

/** @throws Refusal `not_found`, `last_factor`, `no_emergency_account` */
export async function removeTotp({ database: { db } }: SignInDeps, actor: Actor): Promise<void> {
  await db.transaction(async (tx) => {
    const user = await lockOwnAccount(tx, actor);
    const removedApps = await tx.delete(totp).where(eq(totp.userId, actor.id)).returning();
    if (removedApps.length === 0) throw new Refusal("not_found", "You have no authenticator app.");
    // An app that was never confirmed is not a factor.
    if (removedApps[0]?.secret) await finishRemovingFactor(tx, user, actor, "totp_removed");
  });
}

function makeNotBegunRefusal(): Refusal {
  return new Refusal("invalid_code", "Set up the app again, then enter its newest code.");
}

export async function checkTotp(
  { database, readKey }: SignInDeps,
  userId: string,
  code: string,
): Promise<ConsumeFactor> {
  const [row] = await database.db
    .select({ secret: totp.secret })
    .from(totp)
    .where(eq(totp.userId, userId));
  const secret = row?.secret ?? null;
  const step =
    secret === null
      ? null
      : await findTotpStep(unsealValue(await readKey(), TOTP_SECRET, secret), code);
  if (step === null) throw makeWrongCodeRefusal();
  return async (tx) => {
    // Only the first of several concurrent uses of a code matches this condition.
    const updatedRows = await tx
      .update(totp)
      .set({ lastStep: step })
      .where(and(eq(totp.userId, userId), lt(totp.lastStep, step), isNotNull(totp.secret)))
      .returning({ userId: totp.userId });
    if (updatedRows.length > 0) return;
    throw new Refusal("code_used", "That code was already used. Wait for the next one.");
  };
}

/** Also tries the steps before and after, in case the clocks differ. Null for a wrong code. */
export async function findTotpStep(
  secret: string,
  code: string,
  timeMs = Date.now(),
): Promise<number | null> {
  const token = code.replace(/\s/g, "");
  if (!/^\d{6}$/.test(token)) return null;
  const { TOTP } = await loadOtpauth();
  const delta = new TOTP({ ...PARAMS, secret }).validate({ token, timestamp: timeMs, window: 1 });
  return delta === null ? null : Math.floor(timeMs / 1_000 / PARAMS.period) + delta;
}
