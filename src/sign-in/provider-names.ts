import { asc, eq } from "drizzle-orm";
import type { Query } from "../database/connect.ts";
import { prepareQuery } from "../database/prepared.ts";
import { identityProviders } from "../database/schema.ts";

const selectNames = prepareQuery("list_provider_names", (db) =>
  db
    .select({ slug: identityProviders.slug, name: identityProviders.name })
    .from(identityProviders)
    .where(eq(identityProviders.isEnabled, true))
    .orderBy(asc(identityProviders.name), asc(identityProviders.slug)),
);

/** The providers that the sign-in offers, by name. */
export function listProviderNames(tx: Query): Promise<{ slug: string; name: string }[]> {
  return selectNames(tx, {});
}
