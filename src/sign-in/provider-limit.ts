import { eq } from "drizzle-orm";
import type { Query } from "../database/connect.ts";
import { identityProviders } from "../database/schema.ts";

/** Where its provider was removed meanwhile, a session lasts this long. */
const FALLBACK_HOURS = 1;

/** After how many hours people sign in at a provider again. */
export async function findSessionLimit(tx: Query, providerId: string): Promise<number> {
  const [row] = await tx
    .select({ hours: identityProviders.maxSessionHours })
    .from(identityProviders)
    .where(eq(identityProviders.id, providerId));
  return row?.hours ?? FALLBACK_HOURS;
}
