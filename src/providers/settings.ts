import { asc, eq, gt, sql } from "drizzle-orm";
import { type AuditActor, writeAudit } from "../audit/write.ts";
import { endProviderSessions } from "../authentication/sessions.ts";
import type { Drizzle, Query, Transaction } from "../database/connect.ts";
import { violatesConstraint } from "../database/errors.ts";
import { identityProviders } from "../database/schema.ts";
import { decodeCursor, toPage } from "../platform/input/cursor.ts";
import { pickDefined } from "../platform/input/shape.ts";
import { cleanName } from "../platform/input/names.ts";
import { makeFieldRefusal, Refusal } from "../platform/refusal.ts";
import { sealValue, unsealValue } from "../platform/secrets/sealed.ts";
import type { ReadKey } from "../platform/secrets/secrets.ts";
import { checkAdministratorSignIn, checkEmergencyAccount } from "../sign-in/lockout.ts";
import type { Page } from "../wire/models.ts";
import type {
  CreateIdentityProvider,
  IdentityProvider,
  UpdateIdentityProvider,
} from "../wire/providers.ts";
import type { PageQuery } from "../wire/queries.ts";
import { CLIENT_SECRET, type ProviderRow, redirectUri } from "./connection.ts";
import { cleanIssuer } from "./issuer.ts";
import { lockForKey } from "../database/tables.ts";

/** Changes run in the caller's transaction and are audited, without the secret. */

type ProviderSettingsDeps = { readKey: ReadKey; baseUrl: string };

export async function listProviders(
  tx: Query,
  baseUrl: string,
  query: PageQuery,
): Promise<Page<IdentityProvider>> {
  const after = decodeCursor(query.cursor) ?? "";
  const rows = await tx
    .select()
    .from(identityProviders)
    .where(gt(identityProviders.slug, after))
    .orderBy(asc(identityProviders.slug))
    .limit(query.limit + 1);
  return toPage(
    rows,
    query.limit,
    (row) => row.slug,
    (row) => toIdentityProvider(row, baseUrl),
  );
}

/** @throws Refusal `not_found` */
export async function requireProvider(
  tx: Query,
  key: { id: string } | { slug: string },
): Promise<ProviderRow> {
  const condition =
    "id" in key ? eq(identityProviders.id, key.id) : eq(identityProviders.slug, key.slug);
  const [row] = await tx.select().from(identityProviders).where(condition);
  if (!row) throw new Refusal("not_found", "There is no such provider.");
  return row;
}

/** @throws Refusal `slug_taken`, `validation`, `no_emergency_account` */
export async function createProvider(
  tx: Transaction,
  { readKey, baseUrl }: ProviderSettingsDeps,
  actor: AuditActor,
  params: CreateIdentityProvider,
): Promise<IdentityProvider> {
  const { client_secret, ...fields } = params;
  const values = toValues(fields);
  if (values.isExclusive && values.isEnabled !== false) await checkEmergencyAccount(tx, null);
  await lockForKey(tx, identityProviders);
  const [row] = await tx
    .insert(identityProviders)
    .values({
      id: Bun.randomUUIDv7(),
      slug: params.slug,
      name: params.name,
      issuer: params.issuer,
      clientId: params.client_id,
      ...values,
      clientSecret: client_secret ? sealValue(await readKey(), CLIENT_SECRET, client_secret) : null,
    })
    .returning()
    .catch((error) => {
      if (!violatesConstraint(error, "identity_providers_slug")) throw error;
      throw new Refusal("slug_taken", `Another provider is called ${params.slug}.`);
    });
  const details = { ...fields, client_secret: client_secret ? "set" : "none" };
  await writeAudit(tx, actor, "provider.create", targetOf(row as ProviderRow), details);
  return toIdentityProvider(row as ProviderRow, baseUrl);
}

/**
 * Updates the fields that are present. Disabling a provider ends the sessions that began at it.
 * @throws Refusal `not_found`, `validation`, `provider_from_environment`, `no_emergency_account`
 */
export async function updateProvider(
  tx: Transaction,
  { readKey, baseUrl }: ProviderSettingsDeps,
  actor: AuditActor,
  key: { id: string } | { slug: string },
  params: UpdateIdentityProvider,
): Promise<IdentityProvider> {
  await lockForKey(tx, identityProviders);
  const before = await requireProvider(tx, key);
  const { client_secret, ...fields } = params;
  refuseFromEnvironment(before, params);
  const values: Partial<ProviderRow> = toValues(fields);
  const isElsewhere = trimSlash(values.issuer ?? before.issuer) !== trimSlash(before.issuer);
  if (isElsewhere && before.clientSecret && client_secret === undefined) {
    const message = "The secret belongs to the previous issuer. Enter the one of the new issuer.";
    throw makeFieldRefusal("/client_secret", message);
  }
  if (client_secret !== undefined) {
    values.clientSecret = client_secret
      ? sealValue(await readKey(), CLIENT_SECRET, client_secret)
      : null;
  }
  if (Object.keys(values).length === 0) return toIdentityProvider(before, baseUrl);
  const after = { ...before, ...values };
  const wasExclusive = before.isExclusive && before.isEnabled;
  if (after.isExclusive && after.isEnabled && !wasExclusive) await checkEmergencyAccount(tx, null);
  const [row] = await tx
    .update(identityProviders)
    .set(values)
    .where(eq(identityProviders.id, before.id))
    .returning();
  const isCut = before.isEnabled && (!after.isEnabled || after.issuer !== before.issuer);
  if (isCut) await endProviderSessions(tx, before.id);
  if (isCut && actor.actorId !== null) await checkAdministratorSignIn(tx);
  const secret = client_secret === undefined ? {} : { client_secret: "changed" };
  await writeAudit(tx, actor, "provider.update", targetOf(before), { ...fields, ...secret });
  return toIdentityProvider(row as ProviderRow, baseUrl);
}

/**
 * Deletes a provider and ends the sessions that began at it. Identities stay, because the same issuer may be
 * added again.
 * @throws Refusal `not_found`, `provider_from_environment`, `no_emergency_account`
 */
export async function deleteProvider(
  tx: Transaction,
  actor: AuditActor,
  key: { id: string } | { slug: string },
): Promise<void> {
  await lockForKey(tx, identityProviders);
  const row = await requireProvider(tx, key);
  refuseFromEnvironment(row, { issuer: "" });
  await endProviderSessions(tx, row.id);
  await tx.delete(identityProviders).where(eq(identityProviders.id, row.id));
  if (actor.actorId !== null) await checkAdministratorSignIn(tx);
  await writeAudit(tx, actor, "provider.delete", targetOf(row));
}

/** The environment sets the connection of its provider; administrators set the other fields. */
function refuseFromEnvironment(row: ProviderRow, params: UpdateIdentityProvider): void {
  const { name, issuer, client_id, client_secret } = params;
  const isOwn = [name, issuer, client_id, client_secret].every((value) => value === undefined);
  if (!row.isFromEnvironment || isOwn) return;
  throw new Refusal(
    "provider_from_environment",
    "This provider is configured by the OIDC_* variables. Change them and restart.",
  );
}

const trimSlash = (issuer: string) => issuer.replace(/\/$/, "");

function targetOf({ id, slug }: ProviderRow) {
  return { id, name: slug };
}

/** @throws Refusal `validation` */
function toValues(fields: Omit<UpdateIdentityProvider, "client_secret">): Partial<ProviderRow> {
  return pickDefined({
    name: fields.name === undefined ? undefined : cleanName(fields.name, "/name", 80),
    issuer: fields.issuer === undefined ? undefined : cleanIssuer(fields.issuer),
    clientId: fields.client_id,
    // An ID token is only returned for the scope `openid` (OpenID Connect Core, 3.1.2.1).
    scopes:
      fields.scopes?.split(" ").includes("openid") === false
        ? `openid ${fields.scopes}`
        : fields.scopes,
    linkByEmail: fields.link_by_email,
    trustsEmail: fields.trusts_email,
    allowSignup: fields.allow_signup,
    allowedDomains: fields.allowed_domains?.map((domain) => domain.toLowerCase()),
    syncProfile: fields.sync_profile,
    groupsClaim: fields.groups_claim,
    adminGroup: fields.admin_group,
    countsAsSecondFactor: fields.counts_as_second_factor,
    provesWithoutAuthTime: fields.proves_without_auth_time,
    isExclusive: fields.is_exclusive,
    maxSessionHours: fields.max_session_hours,
    isEnabled: fields.is_enabled,
  });
}

function toIdentityProvider(row: ProviderRow, baseUrl: string): IdentityProvider {
  return {
    id: row.id,
    slug: row.slug,
    name: row.name,
    issuer: row.issuer,
    client_id: row.clientId,
    has_client_secret: row.clientSecret !== null,
    scopes: row.scopes,
    link_by_email: row.linkByEmail,
    trusts_email: row.trustsEmail,
    allow_signup: row.allowSignup,
    allowed_domains: row.allowedDomains,
    sync_profile: row.syncProfile,
    groups_claim: row.groupsClaim,
    admin_group: row.adminGroup,
    counts_as_second_factor: row.countsAsSecondFactor,
    proves_without_auth_time: row.provesWithoutAuthTime,
    is_exclusive: row.isExclusive,
    max_session_hours: row.maxSessionHours,
    is_enabled: row.isEnabled,
    is_from_environment: row.isFromEnvironment,
    redirect_uri: redirectUri(row, baseUrl),
    backchannel_logout_uri: `${baseUrl}/api/auth/oidc/${row.slug}/backchannel-logout`,
    created_at: row.createdAt.toISOString(),
  };
}

type EnvironmentProvider = {
  issuer: string;
  clientId: string;
  clientSecret: string | null;
  name: string;
};

const SLUG = "sso";

/**
 * Saves the provider of the environment when the service starts. If it is no longer set, the saved one is
 * disabled, and the sessions that began there end.
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
    const sealedSecret =
      clientSecret === null ? null : sealValue(keys, CLIENT_SECRET, clientSecret);
    const values = {
      issuer,
      clientId,
      name,
      isFromEnvironment: true,
      clientSecret: isSame ? before.clientSecret : sealedSecret,
      // The provider was disabled because it was missing from the environment.
      ...(before && !before.isFromEnvironment ? { isEnabled: true } : {}),
    };
    if (before) {
      await tx.update(identityProviders).set(values).where(eq(identityProviders.id, before.id));
    } else {
      await tx.insert(identityProviders).values({ ...values, id: Bun.randomUUIDv7(), slug: SLUG });
    }
  });
}
