import { and, eq, isNotNull, ne, notExists, sql } from "drizzle-orm";
import { arePasswordsOff, countEmergencyAccounts } from "../sign-in/lockout.ts";
import type { Drizzle } from "../database/connect.ts";
import { identityProviders, passkeys, totp, users } from "../database/schema.ts";
import { rpIdOf } from "../sign-in/passkeys.ts";
import type { ProviderDeps } from "./deps.ts";
import { testProvider } from "./test-provider.ts";

/** Problems with sign-in that operators read when the service starts, and in the output of `doctor`. */

type SignInReport = {
  providers: number;
  /** One sentence for each problem. */
  problems: string[];
};

type ReportDeps = Pick<ProviderDeps, "egress" | "discovery" | "readKey" | "baseUrl">;

/** Tests the providers, and finds passkeys created for another host. */
export async function reportSignIn(db: Drizzle, deps: ReportDeps): Promise<SignInReport> {
  const rows = await db
    .select()
    .from(identityProviders)
    .where(eq(identityProviders.isEnabled, true));
  const reports = await Promise.all(
    rows.map(async (provider) => ({ provider, test: await testProvider(deps, provider) })),
  );
  const failures = reports.flatMap(({ provider, test }) =>
    test.checks
      .filter(({ ok }) => !ok)
      .map(({ check, detail }) => `The provider ${provider.slug}: ${check}: ${detail}`),
  );
  const stale = await findStalePasskeys(db, rpIdOf(deps.baseUrl));
  const lockout = await findNoEmergencyAccount(db);
  return { providers: rows.length, problems: [...failures, ...lockout, ...stale] };
}

/** Operators may remove the last emergency account, because they can create another. */
async function findNoEmergencyAccount(db: Drizzle): Promise<string[]> {
  if (!(await arePasswordsOff(db)) || (await countEmergencyAccounts(db)) > 0) return [];
  return [
    "A provider is exclusive, and no administrator has a password and a second factor to sign in with if it fails " +
      "(user keeps-password <username> on, then a second factor in the profile; or oidc set <slug> --exclusive=off).",
  ];
}

async function findStalePasskeys(db: Drizzle, rpId: string): Promise<string[]> {
  const [stale] = await db
    .select({
      count: sql<number>`count(*)::int`,
      hosts: sql<string>`string_agg(distinct ${passkeys.rpId}, ', ')`,
    })
    .from(passkeys)
    .where(ne(passkeys.rpId, rpId));
  if (!stale?.count) return [];
  const usable = db
    .select({ one: sql`1` })
    .from(passkeys)
    .where(and(eq(passkeys.userId, users.id), eq(passkeys.rpId, rpId)));
  const apps = db
    .select({ one: sql`1` })
    .from(totp)
    .where(and(eq(totp.userId, users.id), isNotNull(totp.secret)));
  const lockedOut = await db.$count(
    users,
    and(isNotNull(users.secondFactorAt), notExists(usable), notExists(apps)),
  );
  return [
    `${stale.count} passkeys were created for ${stale.hosts} and do not work at ${rpId}: BASE_URL has changed. ` +
      `${lockedOut} people have no other factor left than recovery codes (user reset-second-factor).`,
  ];
}
