import { and, asc, eq, gt, sql } from "drizzle-orm";
import { queueSecurityMail } from "../sign-in/security-mail.ts";
import { detachSession, endProviderSessions, sessionIdOf } from "../authentication/sessions.ts";
import { checkSignInMethod } from "../sign-in/lockout.ts";
import type { Drizzle, Query, Transaction } from "../database/connect.ts";
import { identities, identityProviders, sessions } from "../database/schema.ts";
import { decodeIdCursor, toPage } from "../platform/input/cursor.ts";
import { SMALLEST_ID } from "../platform/ids.ts";
import { getLogger } from "../platform/log.ts";
import { Refusal } from "../platform/refusal.ts";
import type { Actor } from "../routing/actor.ts";
import { lockOwnAccount } from "../sign-in/second-factor.ts";
import type { Page } from "../wire/models.ts";
import type { PageQuery } from "../wire/queries.ts";
import type { Identity } from "../wire/sign-in.ts";
import type { Claims } from "./claims.ts";
import { connectProvider, type ProviderRow } from "./connection.ts";
import type { ProviderDeps } from "./deps.ts";
import { describeFailure } from "./request.ts";

const log = getLogger("sign-in");

export async function listIdentities(
  tx: Query,
  userId: string,
  query: PageQuery,
): Promise<Page<Identity>> {
  const after = decodeIdCursor(query.cursor) ?? SMALLEST_ID;
  const rows = await tx
    .select({
      identity: identities,
      provider: { slug: identityProviders.slug, name: identityProviders.name },
    })
    .from(identities)
    .leftJoin(identityProviders, eq(identityProviders.id, identities.providerId))
    .where(and(eq(identities.userId, userId), gt(identities.id, after)))
    .orderBy(asc(identities.id))
    .limit(query.limit + 1);
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

export async function insertIdentity(
  tx: Transaction,
  provider: ProviderRow,
  { issuer, subject, email }: Claims,
  userId: string,
): Promise<void> {
  const lastUsedAt = sql`clock_timestamp()`;
  await tx.insert(identities).values({
    id: Bun.randomUUIDv7(),
    issuer,
    subject,
    userId,
    email,
    lastUsedAt,
    providerId: provider.id,
  });
}

/** Also ends other sessions of the provider. @throws Refusal `not_found`, `last_way_in` */
export async function removeIdentity(db: Drizzle, actor: Actor, id: string): Promise<void> {
  await db.transaction(async (tx) => {
    const user = await lockOwnAccount(tx, actor);
    const [identity] = await tx
      .delete(identities)
      .where(and(eq(identities.id, id), eq(identities.userId, actor.id)))
      .returning();
    if (!identity) throw new Refusal("not_found", "Your account has no such connection.");
    await checkSignInMethod(tx, user);
    const { providerId } = identity;
    if (providerId === null) return;
    const [provider] = await tx
      .select({ name: identityProviders.name })
      .from(identityProviders)
      .where(eq(identityProviders.id, providerId));
    await detachSession(tx, actor);
    await endProviderSessions(tx, providerId, { userIds: [actor.id] });
    await queueSecurityMail(tx, actor.id, "provider_disconnected", provider?.name ?? null);
  });
}

/**
 * Builds the URL at which the provider ends its own session (OpenID Connect RP-Initiated Logout 1.0).
 * @returns null if the session has no provider, or the provider has no such URL
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
    // Signing out of Snug must not depend on the provider.
    log.warn("Could not load the logout address of a provider.", {
      provider: row.provider.slug,
      error: describeFailure(error),
    });
    return null;
  }
}
