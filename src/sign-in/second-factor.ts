import { and, eq, isNotNull, sql } from "drizzle-orm";
import { readRequiredFrom, requiredFrom } from "../authentication/second-factor-policy.ts";
import { endSessions, lockSession, sessionIdOf } from "../authentication/sessions.ts";
import type { Drizzle, Query, Transaction } from "../database/connect.ts";
import {
  passkeys,
  recoveryCodes,
  sessions,
  siteSettings,
  totp,
  users,
} from "../database/schema.ts";
import type { SecurityChange } from "../jobs-queue/kinds.ts";
import { Refusal } from "../platform/refusal.ts";
import { limitFailures, type RateLimit } from "../rate-limits/rate-limits.ts";
import type { Actor } from "../routing/actor.ts";
import { lockUser, type UserRow } from "../users/users.ts";
import type { Factor, SecondFactorState } from "../wire/sign-in.ts";
import { checkEmergencyAccount, isExclusiveOn } from "./lockout.ts";
import {
  deleteRecoveryCodes,
  hasRecoveryCode,
  makeWrongCodeRefusal,
  replaceRecoveryCodes,
} from "./recovery-codes.ts";
import { queueSecurityMail } from "./security-mail.ts";

/**
 * An account's second factor is its authenticator app and its passkeys together. Adding the first makes it
 * pending until the user enters a recovery code; removing the last turns it off.
 */

/** Marks a checked factor as used, in the transaction that relies on it. Throws as `checkFactor`. */
export type ConsumeFactor = (tx: Transaction) => Promise<void>;

export async function readSecondFactor(db: Query, actor: Actor): Promise<SecondFactorState> {
  const [row] = await db
    .select({
      onSince: users.secondFactorAt,
      hasTotp: sql<boolean>`exists (select from ${totp}
        where ${totp.userId} = ${users.id} and ${totp.secret} is not null)`,
      keys: sql<number>`(select count(*)::int from ${passkeys}
        where ${passkeys.userId} = ${users.id})`,
      codesLeft: sql<number>`(select count(*)::int from ${recoveryCodes}
        where ${recoveryCodes.userId} = ${users.id} and ${recoveryCodes.usedAt} is null)`,
      hasPassword: sql<boolean>`(${users.passwordHash} is not null
        and (${users.keepsPassword} or not ${isExclusiveOn}))`,
      requiredFrom,
    })
    .from(users)
    .leftJoin(siteSettings, sql`true`)
    .where(eq(users.id, actor.id));
  if (!row) throw new Error("readSecondFactor: no such user");
  const { hasTotp, keys, requiredFrom: from } = row;
  return {
    is_on: row.onSince !== null,
    is_pending: row.onSince === null && (hasTotp || keys > 0),
    totp: hasTotp,
    passkeys: keys,
    recovery_codes_left: row.codesLeft,
    has_password: row.hasPassword,
    is_required: from !== null,
    required_from: from?.toISOString() ?? null,
    is_restricted: actor.isRestricted,
  };
}

/** Locks the session as well. @throws Refusal `unauthenticated` */
export async function lockOwnAccount(tx: Transaction, actor: Actor): Promise<UserRow> {
  const user = await lockUser(tx, { id: actor.id });
  await lockSession(tx, actor);
  if (!user.isActive) throw new Refusal("unauthenticated");
  return user;
}

/**
 * Call it after adding a factor to a locked account.
 * @returns recovery codes if the second factor is still off: entering one of them turns it on
 */
export async function finishAddingFactor(
  tx: Transaction,
  user: UserRow,
  change: SecurityChange,
  detail: string | null = null,
): Promise<string[] | null> {
  if (user.secondFactorAt === null) return replaceRecoveryCodes(tx, user.id);
  await queueSecurityMail(tx, user.id, change, detail);
  return null;
}

/**
 * Turns the second factor on with a recovery code, which shows that the user has saved the codes. Other
 * sessions end; this one is no longer restricted.
 * @throws Refusal `second_factor_off` without a factor, `invalid_code`, `rate_limited`
 */
export async function confirmRecoveryCode(db: Drizzle, actor: Actor, code: string): Promise<void> {
  const limits: RateLimit[] = [{ key: `saved-code:${actor.id}`, max: 20, minutes: 15 }];
  await limitFailures(db, limits, async () => {
    await db.transaction(async (tx) => {
      const user = await lockUser(tx, { id: actor.id });
      await lockSession(tx, actor);
      if (!user.isActive || !(await hasFactor(tx, user.id))) throw makeNoFactorRefusal();
      if (!(await hasRecoveryCode(tx, user.id, code))) throw makeWrongCodeRefusal();
      if (user.secondFactorAt !== null) return;
      await tx
        .update(users)
        .set({ secondFactorAt: sql`clock_timestamp()` })
        .where(eq(users.id, user.id));
      await tx
        .update(sessions)
        .set({ hasSecondFactor: true, isRestricted: false })
        .where(eq(sessions.id, sessionIdOf(actor)));
      await endSessions(tx, user.id, { except: sessionIdOf(actor) });
      await queueSecurityMail(tx, user.id, "second_factor_on");
    });
  });
}

/** Ends the other sessions. @throws Refusal `second_factor_off` */
export async function renewRecoveryCodes(db: Drizzle, actor: Actor): Promise<string[]> {
  return db.transaction(async (tx) => {
    const user = await lockOwnAccount(tx, actor);
    if (!(await hasFactor(tx, user.id))) throw makeNoFactorRefusal();
    const codes = await replaceRecoveryCodes(tx, user.id);
    if (user.secondFactorAt === null) return codes;
    await endSessions(tx, user.id, { except: sessionIdOf(actor) });
    await queueSecurityMail(tx, user.id, "recovery_codes_made");
    return codes;
  });
}

/**
 * Call it after removing a factor from a locked account. Removing the last one turns the second factor off.
 * The other sessions end.
 * @throws Refusal `last_factor` under a policy, `no_emergency_account`
 */
export async function finishRemovingFactor(
  tx: Transaction,
  user: UserRow,
  actor: Actor,
  change: SecurityChange,
  detail: string | null = null,
): Promise<void> {
  const isLast = !(await hasFactor(tx, user.id));
  if (isLast && user.secondFactorAt !== null) {
    if ((await readRequiredFrom(tx, user.id)) !== null) {
      throw new Refusal(
        "last_factor",
        "This site requires a second factor. Add another one before you remove this one.",
      );
    }
    if (user.isSiteAdmin) await checkEmergencyAccount(tx, user);
  }
  if (isLast) await turnOffSecondFactor(tx, user.id);
  if (user.secondFactorAt === null) return;
  await endSessions(tx, user.id, { except: sessionIdOf(actor) });
  if (isLast) {
    await tx
      .update(sessions)
      .set({ hasSecondFactor: false })
      .where(eq(sessions.id, sessionIdOf(actor)));
  }
  if (isLast) await queueSecurityMail(tx, user.id, "second_factor_off");
  else await queueSecurityMail(tx, user.id, change, detail);
}

/** Removes all factors. @returns false if there was none */
export async function removeSecondFactor(tx: Transaction, userId: string): Promise<boolean> {
  const apps = await tx.delete(totp).where(eq(totp.userId, userId)).returning();
  const keys = await tx.delete(passkeys).where(eq(passkeys.userId, userId)).returning();
  await turnOffSecondFactor(tx, userId);
  return apps.length + keys.length > 0;
}

async function turnOffSecondFactor(tx: Transaction, userId: string): Promise<void> {
  await deleteRecoveryCodes(tx, userId);
  await tx.update(users).set({ secondFactorAt: null }).where(eq(users.id, userId));
}

async function hasFactor(tx: Query, userId: string): Promise<boolean> {
  const keys = await tx.$count(passkeys, eq(passkeys.userId, userId));
  const isConfirmed = and(eq(totp.userId, userId), isNotNull(totp.secret));
  return keys > 0 || (await tx.$count(totp, isConfirmed)) > 0;
}

function makeNoFactorRefusal(): Refusal {
  return new Refusal(
    "second_factor_off",
    "Set up an authenticator app or a passkey first: you need it to use recovery codes.",
  );
}

/** Even while the second factor is off. @param rpId excludes passkeys for another host */
export async function listFactors(tx: Query, userId: string, rpId?: string): Promise<Factor[]> {
  const [has] = await tx
    .select({
      totp: sql<boolean>`exists (select from ${totp}
        where ${totp.userId} = ${userId} and ${totp.confirmedAt} is not null)`,
      passkey: sql<boolean>`exists (select from ${passkeys}
        where ${passkeys.userId} = ${userId}
        and ${passkeys.rpId} = coalesce(${rpId ?? null}, ${passkeys.rpId}))`,
      code: sql<boolean>`exists (select from ${recoveryCodes}
        where ${recoveryCodes.userId} = ${userId} and ${recoveryCodes.usedAt} is null)`,
    })
    .from(sql`(select 1) as one`);
  return [
    ...(has?.totp ? (["totp"] as const) : []),
    ...(has?.passkey ? (["passkey"] as const) : []),
    ...(has?.code ? (["recovery_code"] as const) : []),
  ];
}
