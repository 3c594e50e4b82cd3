import { sql } from "drizzle-orm";
import { type AuditActor, writeAudit } from "../audit/write.ts";
import { countWithoutFactor, liftRestrictions } from "../authentication/second-factor-policy.ts";
import type { Query, Transaction } from "../database/connect.ts";
import { siteSettings } from "../database/schema.ts";
import { GRACE_DAYS } from "../wire/limits.ts";
import type { SecondFactorPolicy, SignInSettings } from "../wire/providers.ts";
import { emergencyAccounts } from "./lockout.ts";

/** Reads the policy, with the facts that administrators need before they change it. */
export async function readSignInSettings(tx: Query): Promise<SignInSettings> {
  // `site_settings` has no row until an administrator sets a policy.
  const [row] = await tx
    .select({
      secondFactor: siteSettings.secondFactor,
      secondFactorSince: siteSettings.secondFactorSince,
      withoutFactor: countWithoutFactor,
      emergencyAccounts,
    })
    .from(sql`(select 1) as one`)
    .leftJoin(siteSettings, sql`true`);
  return {
    second_factor: row?.secondFactor ?? "optional",
    second_factor_since: row?.secondFactorSince?.toISOString() ?? null,
    grace_days: GRACE_DAYS,
    without_second_factor: row?.withoutFactor ?? 0,
    emergency_accounts: row?.emergencyAccounts ?? 0,
  };
}

/** A change starts a new grace period for everyone, so that it locks nobody out. */
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
