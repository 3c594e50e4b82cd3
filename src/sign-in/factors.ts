import { and, eq, isNotNull, sql } from "drizzle-orm";
import { checkEmergencyAccount, isExclusiveOn } from "../accounts/emergency.ts";
import { lockSession, lockUser } from "../accounts/lock-user.ts";
import { readRequirement, requiredFrom } from "../accounts/policy.ts";
import { queueSecurityMail } from "../accounts/security-mail.ts";
import { endSessions, sessionIdOf } from "../accounts/sessions.ts";
import type { UserRow } from "../accounts/users.ts";
import type { Drizzle, Query, Transaction } from "../database/connect.ts";
import { type Params, prepareQuery } from "../database/prepared.ts";
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
import { countAttempt, forgiveAttempt, type RateLimit } from "../rate-limits/rate-limits.ts";
import type { Actor } from "../routing/actor.ts";
import type { SecondFactorState } from "../wire/sign-in.ts";
import { makeWrongCode } from "./check-factor.ts";
import { deleteRecoveryCodes, hasRecoveryCode, replaceRecoveryCodes } from "./recovery-codes.ts";

/**
 * An account's second factor: authenticator app and passkeys together. It is pending from the first of
 * them until a recovery code was typed back, and off when the last of them is removed.
 */

const findState = prepareQuery("second_factor", (db, params: Params<{ userId: string }>) =>
  db
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
    .where(eq(users.id, params.userId)),
);

/** The caller's second factor. */
export async function readSecondFactor(db: Query, actor: Actor): Promise<SecondFactorState> {
  const [row] = await findState(db, { userId: actor.id });
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

/**
 * Locks the rows that a change of factors relies on.
 * @throws Refusal `unauthenticated`
 */
export async function lockForChange(tx: Transaction, actor: Actor): Promise<UserRow> {
  const user = await lockUser(tx, { id: actor.id });
  await lockSession(tx, actor);
  if (!user.isActive) throw new Refusal("unauthenticated");
  return user;
}

/**
 * Notes a factor that was added to a locked account.
 * @returns recovery codes if it is the first, which is on when one of them was typed back
 */
export async function noteFactorAdded(
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
 * Turns the second factor on, since a recovery code was typed back. Sessions that began without it end;
 * this one stays, and is no longer restricted.
 * @throws Refusal `second_factor_off` if there is none, `invalid_code`, `rate_limited`
 */
export async function confirmSaved(db: Drizzle, actor: Actor, code: string): Promise<void> {
  const limits: RateLimit[] = [{ key: `saved-code:${actor.id}`, max: 20, minutes: 15 }];
  await countAttempt(db, limits);
  await db.transaction(async (tx) => {
    const user = await lockUser(tx, { id: actor.id });
    await lockSession(tx, actor);
    if (!user.isActive || !(await hasFactor(tx, user.id))) throw noFactor();
    if (!(await hasRecoveryCode(tx, user.id, code))) throw makeWrongCode();
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
  await forgiveAttempt(db, limits);
}

/**
 * Replaces the recovery codes, and ends the other sessions.
 * @throws Refusal `second_factor_off`
 */
export async function renewRecoveryCodes(db: Drizzle, actor: Actor): Promise<string[]> {
  return db.transaction(async (tx) => {
    const user = await lockForChange(tx, actor);
    if (!(await hasFactor(tx, user.id))) throw noFactor();
    const codes = await replaceRecoveryCodes(tx, user.id);
    if (user.secondFactorAt === null) return codes;
    await endSessions(tx, user.id, { except: sessionIdOf(actor) });
    await queueSecurityMail(tx, user.id, "recovery_codes_made");
    return codes;
  });
}

/**
 * Follows the removal of a factor from a locked account: of the last one, the second factor is off. The
 * other sessions end.
 * @throws Refusal `last_factor` under a policy, `no_emergency_account`
 */
export async function noteFactorRemoved(
  tx: Transaction,
  user: UserRow,
  actor: Actor,
  change: SecurityChange,
  detail: string | null = null,
): Promise<void> {
  const isLast = !(await hasFactor(tx, user.id));
  if (isLast && user.secondFactorAt !== null) {
    if ((await readRequirement(tx, user.id)) !== null) {
      throw new Refusal(
        "last_factor",
        "This site requires a second factor. Add another one before you remove this one.",
      );
    }
    if (user.isSiteAdmin) await checkEmergencyAccount(tx, user);
  }
  if (isLast) await turnOff(tx, user.id);
  if (user.secondFactorAt === null) return;
  await endSessions(tx, user.id, { except: sessionIdOf(actor) });
  if (isLast) {
    await tx
      .update(sessions)
      .set({ hasSecondFactor: false })
      .where(eq(sessions.id, sessionIdOf(actor)));
  }
  const told = isLast ? "second_factor_off" : change;
  await queueSecurityMail(tx, user.id, told, isLast ? null : detail);
}

/** Turns an account's second factor off; its factors are removed before or in the same transaction. */
export async function turnOff(tx: Transaction, userId: string): Promise<void> {
  await deleteRecoveryCodes(tx, userId);
  await tx.update(users).set({ secondFactorAt: null }).where(eq(users.id, userId));
}

async function hasFactor(tx: Query, userId: string): Promise<boolean> {
  const keys = await tx.$count(passkeys, eq(passkeys.userId, userId));
  return keys > 0 || (await hasAuthenticatorApp(tx, userId));
}

async function hasAuthenticatorApp(tx: Query, userId: string): Promise<boolean> {
  const matches = and(eq(totp.userId, userId), isNotNull(totp.secret));
  return (await tx.$count(totp, matches)) > 0;
}

function noFactor(): Refusal {
  return new Refusal(
    "second_factor_off",
    "Set up an authenticator app or a passkey first: recovery codes replace them.",
  );
}
