import { and, asc, eq, gt, sql } from "drizzle-orm";
import { queueSecurityMail } from "../accounts/security-mail.ts";
import { sessionIdOf } from "../accounts/sessions.ts";
import { checkWayIn } from "../accounts/ways-in.ts";
import type { Drizzle, Query, Transaction } from "../database/connect.ts";
import { type Params, prepareQuery } from "../database/prepared.ts";
import { identities, identityProviders, sessions } from "../database/schema.ts";
import { decodeIdCursor, SMALLEST_ID, toPage } from "../platform/cursor.ts";
import { getLogger } from "../platform/log.ts";
import { Refusal } from "../platform/refusal.ts";
import type { Actor } from "../routing/actor.ts";
import { lockForChange } from "../sign-in/factors.ts";
import type { Page } from "../wire/models.ts";
import type { PageQuery } from "../wire/queries.ts";
import type { Identity } from "../wire/sign-in.ts";
import type { Claims } from "./claims.ts";
import { connectProvider, type ProviderRow } from "./connection.ts";
import type { ProviderDeps } from "./deps.ts";
import { endProviderSessions } from "./end-sessions.ts";
import { describeFailure } from "./request.ts";

const log = getLogger("sign-in");

const selectPage = prepareQuery(
  "list_identities",
  (db, params: Params<{ userId: string; after: string; limit: number }>) =>
    db
      .select({
        identity: identities,
        provider: { slug: identityProviders.slug, name: identityProviders.name },
      })
      .from(identities)
      .leftJoin(identityProviders, eq(identityProviders.id, identities.providerId))
      .where(and(eq(identities.userId, params.userId), gt(identities.id, params.after)))
      .orderBy(asc(identities.id))
      .limit(params.limit),
);

/** Who the caller is at providers, the oldest first. */
export async function listIdentities(
  tx: Query,
  userId: string,
  query: PageQuery,
): Promise<Page<Identity>> {
  const after = decodeIdCursor(query.cursor) ?? SMALLEST_ID;
  const rows = await selectPage(tx, { userId, after, limit: query.limit + 1 });
  return toPage(
    rows,
    query.limit,
    ({ identity }) => identity.id,
    ({ identity, provider }) => ({
      id: identity.id,
      provider,
      issuer: identity.issuer,
      email: identity.email,
      created_at: identity.createdAt.toISOString(),
      last_used_at: identity.lastUsedAt?.toISOString() ?? null,
    }),
  );
}

/** Saves an identity of an account. */
export async function insertIdentity(
  tx: Transaction,
  provider: ProviderRow,
  { issuer, subject, email }: Claims,
  userId: string,
): Promise<void> {
  const lastUsedAt = sql`clock_timestamp()`;
  await tx.insert(identities).values({
    ...{ id: Bun.randomUUIDv7(), issuer, subject, userId, email, lastUsedAt },
    providerId: provider.id,
  });
}

/**
 * Disconnects the caller from a provider, and ends the sessions that began with it, but this one.
 * @throws Refusal `not_found`, `last_way_in`
 */
export async function removeIdentity(db: Drizzle, actor: Actor, id: string): Promise<void> {
  await db.transaction(async (tx) => {
    const user = await lockForChange(tx, actor);
    const [removed] = await tx
      .delete(identities)
      .where(and(eq(identities.id, id), eq(identities.userId, actor.id)))
      .returning();
    if (!removed) throw new Refusal("not_found", "Your account is not connected like this.");
    await checkWayIn(tx, user);
    const { providerId } = removed;
    if (providerId === null) return;
    const [provider] = await tx
      .select({ name: identityProviders.name })
      .from(identityProviders)
      .where(eq(identityProviders.id, providerId));
    // This session stays, without a provider.
    await tx
      .update(sessions)
      .set({ providerId: null, idpSid: null })
      .where(eq(sessions.id, sessionIdOf(actor)));
    await endProviderSessions(tx, providerId, { userIds: [actor.id] });
    await queueSecurityMail(tx, actor.id, "provider_disconnected", provider?.name ?? null);
  });
}

/**
 * The address at which the session's provider ends its own (OpenID Connect RP-Initiated Logout 1.0).
 * @returns null if the session has no provider, or the provider no such address
 */
export async function findEndSession(deps: ProviderDeps, actor: Actor): Promise<string | null> {
  const [row] = await deps.database.db
    .select({ provider: identityProviders })
    .from(sessions)
    .innerJoin(identityProviders, eq(identityProviders.id, sessions.providerId))
    .where(eq(sessions.id, sessionIdOf(actor)));
  if (!row) return null;
  try {
    const { client, config } = await connectProvider(deps, row.provider);
    if (!config.serverMetadata().end_session_endpoint) return null;
    const post_logout_redirect_uri = `${deps.baseUrl}/signin`;
    return client.buildEndSessionUrl(config, { post_logout_redirect_uri }).href;
  } catch (error) {
    // Signing out here must not depend on it.
    log.warn("A provider's logout address could not be loaded.", {
      provider: row.provider.slug,
      error: describeFailure(error),
    });
    return null;
  }
}
