import { asc, eq, gt, sql } from "drizzle-orm";
import { checkEmergencyAccount } from "../accounts/emergency.ts";
import { checkAdministratorWayIn } from "../accounts/ways-in.ts";
import { type AuditActor, writeAudit } from "../audit/write.ts";
import type { Query, Transaction } from "../database/connect.ts";
import { violatesConstraint } from "../database/errors.ts";
import { type Params, prepareQuery } from "../database/prepared.ts";
import { identityProviders } from "../database/schema.ts";
import { decodeCursor, toPage } from "../platform/cursor.ts";
import { makeInvalid, Refusal } from "../platform/refusal.ts";
import { sealValue } from "../platform/sealed.ts";
import type { ReadKey } from "../platform/secrets.ts";
import type { Page } from "../wire/models.ts";
import type {
  CreateIdentityProvider,
  IdentityProvider,
  UpdateIdentityProvider,
} from "../wire/providers.ts";
import type { PageQuery } from "../wire/queries.ts";
import { CLIENT_SECRET, type ProviderRow } from "./connection.ts";
import { endProviderSessions } from "./end-sessions.ts";
import { toIdentityProvider, toValues } from "./model.ts";

/**
 * What administrators and operators do with providers, in the caller's transaction. Each change writes
 * its row of the audit log, without the secret.
 */

type ProviderSettingsDeps = { readKey: ReadKey; baseUrl: string };

const selectPage = prepareQuery(
  "list_providers",
  (db, params: Params<{ after: string; limit: number }>) =>
    db
      .select()
      .from(identityProviders)
      .where(gt(identityProviders.slug, params.after))
      .orderBy(asc(identityProviders.slug))
      .limit(params.limit),
);

/** All providers by slug. */
export async function listProviders(
  tx: Query,
  baseUrl: string,
  query: PageQuery,
): Promise<Page<IdentityProvider>> {
  const after = decodeCursor(query.cursor) ?? "";
  const rows = await selectPage(tx, { after, limit: query.limit + 1 });
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
  const where =
    "id" in key ? eq(identityProviders.id, key.id) : eq(identityProviders.slug, key.slug);
  const [row] = await tx.select().from(identityProviders).where(where);
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
  await lockTable(tx);
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
 * Changes the fields that are present. Disabling it ends the sessions that began with it.
 * @throws Refusal `not_found`, `validation`, `provider_from_environment`, `no_emergency_account`
 */
export async function updateProvider(
  tx: Transaction,
  { readKey, baseUrl }: ProviderSettingsDeps,
  actor: AuditActor,
  key: { id: string } | { slug: string },
  params: UpdateIdentityProvider,
): Promise<IdentityProvider> {
  await lockTable(tx);
  const before = await requireProvider(tx, key);
  const { client_secret, ...fields } = params;
  refuseFromEnvironment(before, params);
  const values: Partial<ProviderRow> = toValues(fields);
  const isElsewhere = trimSlash(values.issuer ?? before.issuer) !== trimSlash(before.issuer);
  if (isElsewhere && before.clientSecret && client_secret === undefined) {
    const message = "The secret belongs to the former issuer. Enter that of the new one.";
    throw makeInvalid("/client_secret", message);
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
  if (isCut && actor.actorId !== null) await checkAdministratorWayIn(tx);
  const secret = client_secret === undefined ? {} : { client_secret: "changed" };
  await writeAudit(tx, actor, "provider.update", targetOf(before), { ...fields, ...secret });
  return toIdentityProvider(row as ProviderRow, baseUrl);
}

/**
 * Removes a provider, and ends the sessions that began with it. People's identities stay, since the
 * same issuer may be added again.
 * @throws Refusal `not_found`, `provider_from_environment`, `no_emergency_account`
 */
export async function deleteProvider(
  tx: Transaction,
  actor: AuditActor,
  key: { id: string } | { slug: string },
): Promise<void> {
  await lockTable(tx);
  const row = await requireProvider(tx, key);
  refuseFromEnvironment(row, { issuer: "" });
  await endProviderSessions(tx, row.id);
  await tx.delete(identityProviders).where(eq(identityProviders.id, row.id));
  if (actor.actorId !== null) await checkAdministratorWayIn(tx);
  await writeAudit(tx, actor, "provider.delete", targetOf(row));
}

/** The connection of a provider from the environment is set there; its switches are set here. */
function refuseFromEnvironment(row: ProviderRow, params: UpdateIdentityProvider): void {
  const { name, issuer, client_id, client_secret } = params;
  const isOwn = [name, issuer, client_id, client_secret].every((value) => value === undefined);
  if (!row.isFromEnvironment || isOwn) return;
  throw new Refusal(
    "provider_from_environment",
    "OIDC_ISSUER and its like set this provider's connection. Change them, and restart.",
  );
}

/** Before the key is read: a key rotation locks the table until the new key is in place. */
async function lockTable(tx: Transaction): Promise<void> {
  await tx.execute(sql`lock table ${identityProviders} in row exclusive mode`);
}

const trimSlash = (issuer: string) => issuer.replace(/\/$/, "");

function targetOf({ id, slug }: ProviderRow) {
  return { id, name: slug };
}
