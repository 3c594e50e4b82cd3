import { eq, sql } from "drizzle-orm";
import type { Drizzle } from "../database/connect.ts";
import { identityProviders } from "../database/schema.ts";
import { sealValue, unsealValue } from "../platform/sealed.ts";
import type { ReadKey } from "../platform/secrets.ts";
import { CLIENT_SECRET } from "./connection.ts";
import { endProviderSessions } from "./end-sessions.ts";

/** The provider of `OIDC_ISSUER` and its like, for containers. */
type EnvironmentProvider = {
  issuer: string;
  clientId: string;
  clientSecret: string | null;
  name: string;
};

const SLUG = "sso";

/**
 * Brings the provider of the environment to the database when the service starts; its switches are set
 * there. Without one, an earlier one is disabled, and the sessions that began with it end.
 */
export async function saveEnvironmentProvider(
  db: Drizzle,
  readKey: ReadKey,
  provider: EnvironmentProvider | null,
): Promise<void> {
  await db.transaction(async (tx) => {
    await tx.execute(sql`lock table ${identityProviders} in share row exclusive mode`);
    const [before] = await tx
      .select()
      .from(identityProviders)
      .where(eq(identityProviders.slug, SLUG));
    if (!provider) {
      if (!before?.isFromEnvironment) return;
      await tx
        .update(identityProviders)
        .set({ isFromEnvironment: false, isEnabled: false, isExclusive: false })
        .where(eq(identityProviders.id, before.id));
      await endProviderSessions(tx, before.id);
      return;
    }
    const keys = await readKey();
    const { issuer, clientId, clientSecret, name } = provider;
    const isSame =
      before?.clientSecret != null &&
      clientSecret !== null &&
      unsealValue(keys, CLIENT_SECRET, before.clientSecret) === clientSecret;
    const sealed = clientSecret === null ? null : sealValue(keys, CLIENT_SECRET, clientSecret);
    const values = {
      ...{ issuer, clientId, name, isFromEnvironment: true },
      clientSecret: isSame ? before.clientSecret : sealed,
      // A provider that the environment no longer had is enabled again.
      ...(before && !before.isFromEnvironment ? { isEnabled: true } : {}),
    };
    if (before) {
      await tx.update(identityProviders).set(values).where(eq(identityProviders.id, before.id));
    } else {
      await tx.insert(identityProviders).values({ ...values, id: Bun.randomUUIDv7(), slug: SLUG });
    }
  });
}
