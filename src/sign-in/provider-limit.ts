import { eq } from "drizzle-orm";
import type { Query } from "../database/connect.ts";
import { identityProviders } from "../database/schema.ts";

/** How long a session lasts whose provider was removed meanwhile. */
const FALLBACK_HOURS = 1;

/** How many hours a session of a provider lasts before its user has to sign in there again. */
export async function findSessionLimit(tx: Query, providerId: string): Promise<number> {
  const [row] = await tx
    .select({ hours: identityProviders.maxSessionHours })
    .from(identityProviders)
    .where(eq(identityProviders.id, providerId));
  return row?.hours ?? FALLBACK_HOURS;
}
