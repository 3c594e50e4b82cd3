import { eq, sql } from "drizzle-orm";
import {
  type AccountChange,
  refuseBot,
  refuseSelf,
  targetOf,
  updateUser,
} from "../accounts/administer.ts";
import { checkEmergencyAccount, emergencyAccounts } from "../accounts/emergency.ts";
import { countWithoutFactor, liftRestrictions } from "../accounts/policy.ts";
import { queueSecurityMail } from "../accounts/security-mail.ts";
import { endSessions } from "../accounts/sessions.ts";
import { type AuditActor, writeAudit } from "../audit/write.ts";
import type { Query, Transaction } from "../database/connect.ts";
import { prepareQuery } from "../database/prepared.ts";
import { passkeys, siteSettings, totp } from "../database/schema.ts";
import { GRACE_DAYS } from "../wire/limits.ts";
import type { SecondFactorPolicy, SignInSettings } from "../wire/providers.ts";
import { turnOff } from "./factors.ts";

/** What administrators and operators do about sign-in. Each change writes its row of the audit log. */

/**
 * Removes someone's authenticator app, passkeys and recovery codes, and ends all sessions.
 * @throws Refusal `self_lockout`, `bot_account`; `no_emergency_account`, except at the command line
 */
export const resetSecondFactor: AccountChange = async (tx, actor, user) => {
  refuseSelf(actor, user);
  refuseBot(user);
  const apps = await tx.delete(totp).where(eq(totp.userId, user.id)).returning();
  const keys = await tx.delete(passkeys).where(eq(passkeys.userId, user.id)).returning();
  if (apps.length + keys.length === 0) return user;
  if (user.isSiteAdmin && actor.actorId !== null) await checkEmergencyAccount(tx, user);
  await writeAudit(tx, actor, "user.reset_second_factor", targetOf(user));
  await turnOff(tx, user.id);
  await endSessions(tx, user.id);
  await queueSecurityMail(tx, user.id, "second_factor_reset");
  return { ...user, secondFactorAt: null };
};

/**
 * Lets an account keep its password where a provider is exclusive, or takes that away again.
 * @throws Refusal `bot_account`, `no_emergency_account`
 */
export function setKeepsPassword(keepsPassword: boolean): AccountChange {
  return async (tx, actor, user) => {
    refuseBot(user);
    if (user.keepsPassword === keepsPassword) return user;
    if (!keepsPassword) await checkEmergencyAccount(tx, user);
    await writeAudit(tx, actor, "user.update", targetOf(user), { keeps_password: keepsPassword });
    return updateUser(tx, user, { keepsPassword });
  };
}

/** A row is there before the policy was ever set, too. */
const findSettings = prepareQuery("sign_in_settings", (db) =>
  db
    .select({
      secondFactor: siteSettings.secondFactor,
      secondFactorSince: siteSettings.secondFactorSince,
      withoutFactor: countWithoutFactor,
      emergencyAccounts,
    })
    .from(sql`(select 1) as one`)
    .leftJoin(siteSettings, sql`true`),
);

/** The site's policy, and what an administrator must know before changing it. */
export async function readSignInSettings(tx: Query): Promise<SignInSettings> {
  const [row] = await findSettings(tx, {});
  return {
    second_factor: row?.secondFactor ?? "optional",
    second_factor_since: row?.secondFactorSince?.toISOString() ?? null,
    grace_days: GRACE_DAYS,
    without_second_factor: row?.withoutFactor ?? 0,
    emergency_accounts: row?.emergencyAccounts ?? 0,
  };
}

/**
 * Sets who must have a second factor. A change gives everyone the days of grace from now on, so that it
 * locks nobody out.
 */
export async function setSecondFactorPolicy(
  tx: Transaction,
  actor: AuditActor,
  secondFactor: SecondFactorPolicy,
): Promise<SignInSettings> {
  const before = await readSignInSettings(tx);
  if (before.second_factor === secondFactor) return before;
  const secondFactorSince = secondFactor === "optional" ? null : sql`clock_timestamp()`;
  const values = { secondFactor, secondFactorSince };
  await tx
    .insert(siteSettings)
    .values(values)
    .onConflictDoUpdate({ target: siteSettings.isOnly, set: values });
  await liftRestrictions(tx);
  const after = await readSignInSettings(tx);
  const { second_factor, second_factor_since } = after;
  const details = { second_factor, second_factor_since };
  await writeAudit(tx, actor, "settings.sign_in", { id: null, name: "sign-in" }, details);
  return after;
}
