import { asc, eq } from "drizzle-orm";
import type { Query } from "../database/connect.ts";
import { identityProviders } from "../database/schema.ts";

/** The providers that the sign-in offers, by name. */
export function listProviderNames(tx: Query): Promise<{ slug: string; name: string }[]> {
  return tx
    .select({ slug: identityProviders.slug, name: identityProviders.name })
    .from(identityProviders)
    .where(eq(identityProviders.isEnabled, true))
    .orderBy(asc(identityProviders.name), asc(identityProviders.slug));
}
