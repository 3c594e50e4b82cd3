import { and, eq, isNotNull, ne, notExists, sql } from "drizzle-orm";
import { arePasswordsOff, countEmergencyAccounts } from "../accounts/emergency.ts";
import type { Drizzle } from "../database/connect.ts";
import { identityProviders, passkeys, totp, users } from "../database/schema.ts";
import { rpIdOf } from "../sign-in/passkey-site.ts";
import type { ProviderDeps } from "./deps.ts";
import { testProvider } from "./test-provider.ts";

/** Problems of the sign-in that operators must know of: at the start, and from `doctor`. */

type SignInReport = {
  providers: number;
  /** One sentence each. */
  problems: string[];
};

type ReportDeps = Pick<ProviderDeps, "egress" | "discovery" | "readKey" | "baseUrl">;

/** Finds providers that do not answer as they should, and passkeys that the site's host has left behind. */
export async function reportSignIn(db: Drizzle, deps: ReportDeps): Promise<SignInReport> {
  const rows = await db
    .select()
    .from(identityProviders)
    .where(eq(identityProviders.isEnabled, true));
  const tested = await Promise.all(
    rows.map(async (provider) => ({ provider, test: await testProvider(deps, provider) })),
  );
  const failures = tested.flatMap(({ provider, test }) =>
    test.checks
      .filter(({ ok }) => !ok)
      .map(({ check, detail }) => `The provider ${provider.slug}: ${check}: ${detail}`),
  );
  const dead = await findDeadPasskeys(db, rpIdOf(deps.baseUrl));
  const locked = await findNoEmergencyAccount(db);
  return { providers: rows.length, problems: [...failures, ...locked, ...dead] };
}

/**
 * The command line may leave no emergency account under an exclusive provider, since it can create
 * one.
 */
async function findNoEmergencyAccount(db: Drizzle): Promise<string[]> {
  if (!(await arePasswordsOff(db)) || (await countEmergencyAccounts(db)) > 0) return [];
  return [
    "A provider is exclusive, and no administrator has a password and a second factor to get in with if it fails " +
      "(user keeps-password <username> on, then a second factor in the profile; or oidc set <slug> --exclusive=off).",
  ];
}

/** Passkeys that were made for another host than that of BASE_URL. */
async function findDeadPasskeys(db: Drizzle, rpId: string): Promise<string[]> {
  const [found] = await db
    .select({
      count: sql<number>`count(*)::int`,
      hosts: sql<string>`string_agg(distinct ${passkeys.rpId}, ', ')`,
    })
    .from(passkeys)
    .where(ne(passkeys.rpId, rpId));
  if (!found?.count) return [];
  const usable = db
    .select({ one: sql`1` })
    .from(passkeys)
    .where(and(eq(passkeys.userId, users.id), eq(passkeys.rpId, rpId)));
  const apps = db
    .select({ one: sql`1` })
    .from(totp)
    .where(and(eq(totp.userId, users.id), isNotNull(totp.secret)));
  const locked = await db.$count(
    users,
    and(isNotNull(users.secondFactorAt), notExists(usable), notExists(apps)),
  );
  return [
    `${found.count} passkeys were made for ${found.hosts} and do not work at ${rpId}: BASE_URL has changed. ` +
      `${locked} people have no other factor left than recovery codes (user reset-second-factor).`,
  ];
}
