import { and, asc, eq, gt, sql, type SQL } from "drizzle-orm";
import { toUser, userColumns } from "../../users/users.ts";
import type { Database, Query, Transaction } from "../../database/connect.ts";
import { outgoingWebhooks, users } from "../../database/schema.ts";
import type {
  CreateOutgoingWebhook,
  OutgoingWebhook,
  OutgoingWebhookWithSecret,
  UpdateOutgoingWebhook,
} from "../../wire/webhooks.ts";
import { decodeIdCursor, toPage } from "../../platform/input/cursor.ts";
import { SMALLEST_ID } from "../../platform/ids.ts";
import { cleanName } from "../../platform/input/names.ts";
import { lockMembership, readMembership, requireMembership } from "../../rooms/access.ts";
import { MAX_WEBHOOK_NAME_LENGTH, PREVIOUS_SECRET_HOURS } from "../../wire/limits.ts";
import type { Page } from "../../wire/models.ts";
import type { PageQuery } from "../../wire/queries.ts";
import { type Caller, checkWebhookCount, makeWebhookNotFoundRefusal } from "../shared.ts";
import type { OutgoingWebhookDeps } from "./deliver.ts";
import { checkReceiverUrl } from "./receiver.ts";
import { createSigningSecret, WEBHOOK_SECRET } from "./secret.ts";
import { sealValue } from "../../platform/secrets/sealed.ts";
import { lockForKey } from "../../database/tables.ts";

type OutgoingWebhookRow = typeof outgoingWebhooks.$inferSelect;

/** The last attempted delivery, as JSON because a subquery returns one value. */
const lastAttempted = sql<OutgoingWebhook["last_delivery"]>`(
  select jsonb_build_object('id', id, 'event', event, 'state', state, 'tried_at', to_char(
      tried_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'status', status, 'error', error)
  from webhook_deliveries
  where hook_id = ${outgoingWebhooks.id} and attempts > 0 order by id desc limit 1)`;

/** Webhooks with their creators and the outcome of the last delivery, to be narrowed by `where`. */
function selectOutgoingWebhooks(tx: Query) {
  return tx
    .select({
      webhook: outgoingWebhooks,
      creator: userColumns,
      last: lastAttempted,
      now: sql<Date>`statement_timestamp()`.mapWith(outgoingWebhooks.createdAt),
    })
    .from(outgoingWebhooks)
    .innerJoin(users, eq(users.id, outgoingWebhooks.createdBy));
}

type SelectedWebhook = Awaited<ReturnType<typeof selectOutgoingWebhooks>>[number];

/** A webhook as its room's owner and admins see it, without its secret. */
function toOutgoingWebhook({ webhook, creator, last, now }: SelectedWebhook): OutgoingWebhook {
  const { previousUntil } = webhook;
  return {
    id: webhook.id,
    room_id: webhook.roomId,
    name: webhook.name,
    url: webhook.url,
    events: webhook.events,
    is_active: webhook.isActive,
    disabled_reason: webhook.disabledReason,
    failing_since: webhook.failingSince?.toISOString() ?? null,
    previous_secret_until:
      previousUntil && previousUntil > now ? previousUntil.toISOString() : null,
    created_by: toUser(creator),
    created_at: webhook.createdAt.toISOString(),
    last_delivery: last,
  };
}

const isWebhook = (roomId: string, webhookId: string): SQL | undefined =>
  and(eq(outgoingWebhooks.id, webhookId), eq(outgoingWebhooks.roomId, roomId));

/** Lists a room's webhooks, the oldest first. @throws Refusal of `requireMembership` */
export async function listOutgoingWebhooks(
  { db, sql }: Database,
  { actorId, roomId }: Caller,
  { cursor, limit }: PageQuery,
): Promise<Page<OutgoingWebhook>> {
  await requireMembership(sql, actorId, roomId, "admin");
  const after = decodeIdCursor(cursor) ?? SMALLEST_ID;
  const rows = await selectOutgoingWebhooks(db)
    .where(and(eq(outgoingWebhooks.roomId, roomId), gt(outgoingWebhooks.id, after)))
    .orderBy(asc(outgoingWebhooks.id))
    .limit(limit + 1);
  return toPage(rows, limit, ({ webhook }) => webhook.id, toOutgoingWebhook);
}

/** @throws Refusal of `readMembership`; `webhook_not_found` */
export async function readOutgoingWebhook(
  tx: Query,
  { actorId, roomId }: Caller,
  webhookId: string,
): Promise<OutgoingWebhook> {
  await readMembership(tx, actorId, roomId, "admin");
  const [row] = await selectOutgoingWebhooks(tx).where(isWebhook(roomId, webhookId));
  if (!row) throw makeWebhookNotFoundRefusal();
  return toOutgoingWebhook(row);
}

/**
 * Locks a webhook's row, so that it cannot be deleted until the commit.
 * @throws Refusal `webhook_not_found` if it was deleted since it was read
 */
export async function lockOutgoingWebhook(tx: Transaction, webhookId: string): Promise<void> {
  const [row] = await tx
    .select({ id: outgoingWebhooks.id })
    .from(outgoingWebhooks)
    .where(eq(outgoingWebhooks.id, webhookId))
    .for("key share");
  if (!row) throw makeWebhookNotFoundRefusal();
}

/**
 * Creates a webhook that receives events from now on.
 * @returns the webhook with its secret, which is not shown again
 * @throws Refusal of `readMembership`; `validation`, `target_not_allowed`, `too_many_webhooks`
 */
export async function createOutgoingWebhook(
  { database, egress, readKey }: OutgoingWebhookDeps,
  caller: Caller,
  settings: CreateOutgoingWebhook,
): Promise<OutgoingWebhookWithSecret> {
  const { actorId, roomId } = caller;
  const { db } = database;
  // Checked first, so that addresses are resolved only for those who may create one.
  await readMembership(db, actorId, roomId, "admin");
  const name = cleanName(settings.name, "/name", MAX_WEBHOOK_NAME_LENGTH);
  const url = await checkReceiverUrl(egress, settings.url);
  const id = Bun.randomUUIDv7();
  const secret = createSigningSecret();
  await db.transaction(async (tx) => {
    const { room } = await lockMembership(tx, actorId, roomId, "admin");
    checkWebhookCount(await tx.$count(outgoingWebhooks, eq(outgoingWebhooks.roomId, roomId)));
    await lockForKey(tx, outgoingWebhooks);
    await tx.insert(outgoingWebhooks).values({
      id,
      roomId,
      name,
      url,
      events: settings.events,
      secret: sealValue(await readKey(), WEBHOOK_SECRET, secret),
      createdBy: actorId,
      afterSeq: room.lastSeq,
    });
  });
  return { ...(await readOutgoingWebhook(db, caller, id)), secret };
}

/**
 * Changes a webhook. A resumed webhook continues with pending deliveries and with events from now
 * on.
 * @throws Refusal of `readMembership`; `webhook_not_found`, `validation`, `target_not_allowed`
 */
export async function updateOutgoingWebhook(
  { database, egress }: OutgoingWebhookDeps,
  caller: Caller,
  webhookId: string,
  changes: UpdateOutgoingWebhook,
): Promise<OutgoingWebhook> {
  const { actorId, roomId } = caller;
  const { db } = database;
  await readOutgoingWebhook(db, caller, webhookId);
  const values: Partial<OutgoingWebhookRow> = {};
  if (changes.name !== undefined)
    values.name = cleanName(changes.name, "/name", MAX_WEBHOOK_NAME_LENGTH);
  if (changes.url !== undefined) {
    const url = await checkReceiverUrl(egress, changes.url);
    Object.assign(values, { url, slowAttempts: 0, pausedUntil: null });
  }
  if (changes.events !== undefined) values.events = changes.events;
  await db.transaction(async (tx) => {
    const { room } = await lockMembership(tx, actorId, roomId, "admin");
    const [webhook] = await tx.select().from(outgoingWebhooks).where(isWebhook(roomId, webhookId));
    if (!webhook) throw makeWebhookNotFoundRefusal();
    if (changes.is_active !== undefined) values.isActive = changes.is_active;
    if (changes.is_active && !webhook.isActive) {
      Object.assign(values, {
        disabledReason: null,
        failingSince: null,
        afterSeq: room.lastSeq,
        slowAttempts: 0,
        pausedUntil: null,
      });
    }
    if (Object.keys(values).length === 0) return;
    await tx.update(outgoingWebhooks).set(values).where(isWebhook(roomId, webhookId));
  });
  return readOutgoingWebhook(db, caller, webhookId);
}

/** @throws Refusal of `readMembership`; `webhook_not_found` */
export async function deleteOutgoingWebhook(
  tx: Query,
  caller: Caller,
  webhookId: string,
): Promise<void> {
  await readOutgoingWebhook(tx, caller, webhookId);
  await tx.delete(outgoingWebhooks).where(isWebhook(caller.roomId, webhookId));
}

/** The previous secret also signs for a day. @throws as `readOutgoingWebhook` */
export async function rotateSigningSecret(
  { database, readKey }: OutgoingWebhookDeps,
  caller: Caller,
  webhookId: string,
): Promise<OutgoingWebhookWithSecret> {
  const { db } = database;
  await readOutgoingWebhook(db, caller, webhookId);
  const secret = createSigningSecret();
  await db.transaction(async (tx) => {
    await lockForKey(tx, outgoingWebhooks);
    await tx
      .update(outgoingWebhooks)
      .set({
        previousSecret: sql`${outgoingWebhooks.secret}`,
        previousUntil: sql`clock_timestamp() + ${PREVIOUS_SECRET_HOURS} * interval '1 hour'`,
        secret: sealValue(await readKey(), WEBHOOK_SECRET, secret),
      })
      .where(isWebhook(caller.roomId, webhookId));
  });
  return { ...(await readOutgoingWebhook(db, caller, webhookId)), secret };
}
