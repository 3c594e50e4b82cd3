import { and, asc, count, eq, gt, type SQL, sql } from "drizzle-orm";
import type { Database, Query, Transaction } from "../../database/connect.ts";
import { type Params, prepareQuery } from "../../database/prepared.ts";
import { outgoingWebhooks } from "../../database/schema.ts";
import { decodeIdCursor, SMALLEST_ID, toPage } from "../../platform/cursor.ts";
import { cleanName } from "../../platform/names.ts";
import { checkSeat, lockSeat, readSeat } from "../../rooms/access.ts";
import { MAX_WEBHOOK_NAME_LENGTH, PREVIOUS_SECRET_HOURS } from "../../wire/limits.ts";
import type { Page } from "../../wire/models.ts";
import type { PageQuery } from "../../wire/queries.ts";
import type {
  CreateOutgoingWebhook,
  OutgoingWebhook,
  OutgoingWebhookWithSecret,
  UpdateOutgoingWebhook,
} from "../../wire/outgoing-webhooks.ts";
import { type Caller, checkWebhookCount, createNotFound } from "../shared.ts";
import type { OutgoingWebhookDeps } from "./attempt.ts";
import { type OutgoingWebhookRow, selectOutgoingWebhooks, toOutgoingWebhook } from "./models.ts";
import { checkReceiverUrl } from "./receiver.ts";
import { createSigningSecret, sealSigningSecret } from "./secret.ts";

const isWebhook = (roomId: string, webhookId: string): SQL | undefined =>
  and(eq(outgoingWebhooks.id, webhookId), eq(outgoingWebhooks.roomId, roomId));

const selectPage = prepareQuery(
  "list_outgoing_webhooks",
  (db, params: Params<{ roomId: string; after: string; limit: number }>) =>
    selectOutgoingWebhooks(db)
      .where(and(eq(outgoingWebhooks.roomId, params.roomId), gt(outgoingWebhooks.id, params.after)))
      .orderBy(asc(outgoingWebhooks.id))
      .limit(params.limit),
);

/**
 * The room's webhooks, the oldest first.
 * @throws Refusal of `checkSeat`
 */
export async function listOutgoingWebhooks(
  { db, sql }: Database,
  { actorId, roomId }: Caller,
  { cursor, limit }: PageQuery,
): Promise<Page<OutgoingWebhook>> {
  await checkSeat(sql, actorId, roomId, "admin");
  const after = decodeIdCursor(cursor) ?? SMALLEST_ID;
  const rows = await selectPage(db, { roomId, after, limit: limit + 1 });
  return toPage(rows, limit, ({ webhook }) => webhook.id, toOutgoingWebhook);
}

/**
 * One of the room's webhooks.
 * @throws Refusal of `readSeat`; `webhook_not_found`
 */
export async function readOutgoingWebhook(
  tx: Query,
  { actorId, roomId }: Caller,
  webhookId: string,
): Promise<OutgoingWebhook> {
  await readSeat(tx, actorId, roomId, "admin");
  const [found] = await selectOutgoingWebhooks(tx).where(isWebhook(roomId, webhookId));
  if (!found) throw createNotFound();
  return toOutgoingWebhook(found);
}

/**
 * Creates a webhook for what happens in the room from now on.
 * @returns it with its secret, which is not shown again
 * @throws Refusal of `readSeat`; `validation`, `target_not_allowed`, `too_many_webhooks`
 */
export async function createOutgoingWebhook(
  { database, egress, readKey }: OutgoingWebhookDeps,
  caller: Caller,
  settings: CreateOutgoingWebhook,
): Promise<OutgoingWebhookWithSecret> {
  const { actorId, roomId } = caller;
  const { db } = database;
  // Checked first, so that addresses are resolved only for those who may create one.
  await readSeat(db, actorId, roomId, "admin");
  const name = cleanName(settings.name, "/name", MAX_WEBHOOK_NAME_LENGTH);
  const url = await checkReceiverUrl(egress, settings.url);
  const id = Bun.randomUUIDv7();
  const secret = createSigningSecret();
  await db.transaction(async (tx) => {
    const { room } = await lockSeat(tx, actorId, roomId, "admin");
    const [counted] = await tx
      .select({ webhooks: count() })
      .from(outgoingWebhooks)
      .where(eq(outgoingWebhooks.roomId, roomId));
    checkWebhookCount(counted?.webhooks ?? 0);
    await lockForKey(tx);
    await tx.insert(outgoingWebhooks).values({
      id,
      roomId,
      name,
      url,
      events: settings.events,
      secret: sealSigningSecret(await readKey(), secret),
      createdBy: actorId,
      afterSeq: room.lastSeq,
    });
  });
  return { ...(await readOutgoingWebhook(db, caller, id)), secret };
}

/**
 * Changes a webhook. One that is resumed starts with what happens from then on, and with what was
 * still pending.
 * @throws Refusal of `readSeat`; `webhook_not_found`, `validation`, `target_not_allowed`
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
    Object.assign(values, { url, slowAttempts: 0, restingUntil: null });
  }
  if (changes.events !== undefined) values.events = changes.events;
  await db.transaction(async (tx) => {
    const { room } = await lockSeat(tx, actorId, roomId, "admin");
    const [webhook] = await tx.select().from(outgoingWebhooks).where(isWebhook(roomId, webhookId));
    if (!webhook) throw createNotFound();
    if (changes.is_active !== undefined) values.isActive = changes.is_active;
    if (changes.is_active && !webhook.isActive) {
      Object.assign(values, {
        ...{ disabledReason: null, failingSince: null, afterSeq: room.lastSeq },
        ...{ slowAttempts: 0, restingUntil: null },
      });
    }
    if (Object.keys(values).length === 0) return;
    await tx.update(outgoingWebhooks).set(values).where(isWebhook(roomId, webhookId));
  });
  return readOutgoingWebhook(db, caller, webhookId);
}

/** @throws Refusal of `readSeat`; `webhook_not_found` */
export async function deleteOutgoingWebhook(
  tx: Query,
  caller: Caller,
  webhookId: string,
): Promise<void> {
  await readOutgoingWebhook(tx, caller, webhookId);
  await tx.delete(outgoingWebhooks).where(isWebhook(caller.roomId, webhookId));
}

/**
 * Gives a webhook a new secret. The previous one signs beside it for a day.
 * @throws Refusal of `readSeat`; `webhook_not_found`
 */
export async function rotateSigningSecret(
  { database, readKey }: OutgoingWebhookDeps,
  caller: Caller,
  webhookId: string,
): Promise<OutgoingWebhookWithSecret> {
  const { db } = database;
  await readOutgoingWebhook(db, caller, webhookId);
  const secret = createSigningSecret();
  await db.transaction(async (tx) => {
    await lockForKey(tx);
    await tx
      .update(outgoingWebhooks)
      .set({
        previousSecret: sql`${outgoingWebhooks.secret}`,
        previousUntil: sql`clock_timestamp() + ${PREVIOUS_SECRET_HOURS} * interval '1 hour'`,
        secret: sealSigningSecret(await readKey(), secret),
      })
      .where(isWebhook(caller.roomId, webhookId));
  });
  return { ...(await readOutgoingWebhook(db, caller, webhookId)), secret };
}

/** Before the key is read: rotating it locks this table until the new key is in place. */
function lockForKey(tx: Transaction) {
  return tx.execute(sql`lock table ${outgoingWebhooks} in row exclusive mode`);
}
