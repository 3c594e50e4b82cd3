import { and, asc, count, eq, gt, type SQL, sql } from "drizzle-orm";
import type { Query, Transaction } from "../../database/connect.ts";
import { outgoingWebhooks } from "../../database/schema.ts";
import { decodeIdCursor, page } from "../../platform/cursor.ts";
import { cleanName } from "../../platform/names.ts";
import { Refusal } from "../../platform/refusal.ts";
import { readSeat, lockSeat } from "../../rooms/access.ts";
import {
  MAX_WEBHOOKS_PER_ROOM,
  MAX_WEBHOOK_NAME_LENGTH,
  PREVIOUS_SECRET_HOURS,
} from "../../wire/limits.ts";
import type { Page } from "../../wire/models.ts";
import type { PageQuery } from "../../wire/queries.ts";
import type {
  CreateOutgoingWebhook,
  OutgoingWebhook,
  OutgoingWebhookWithSecret,
  UpdateOutgoingWebhook,
} from "../../wire/outgoing-webhooks.ts";
import type { WebhookDeps } from "./deliver.ts";
import { checkTarget } from "./given.ts";
import { type HookRow, selectHooks, toHook } from "./models.ts";
import { newSecret, sealSecret } from "./secret.ts";

/** Who calls, and in which room: every verb here is for its owner and admins. */
export type Caller = { actorId: string; roomId: string };

const isHook = (roomId: string, hookId: string): SQL | undefined =>
  and(eq(outgoingWebhooks.id, hookId), eq(outgoingWebhooks.roomId, roomId));

/**
 * The room's webhooks, the oldest first.
 * @throws Refusal of `readSeat`
 */
export async function listHooks(
  tx: Query,
  { actorId, roomId }: Caller,
  query: PageQuery,
): Promise<Page<OutgoingWebhook>> {
  await readSeat(tx, actorId, roomId, "admin");
  const after = decodeIdCursor(query.cursor);
  const rows = await selectHooks(tx)
    .where(
      and(
        eq(outgoingWebhooks.roomId, roomId),
        after === null ? undefined : gt(outgoingWebhooks.id, after),
      ),
    )
    .orderBy(asc(outgoingWebhooks.id))
    .limit(query.limit + 1);
  const { items, next } = page(rows, query.limit, ({ hook }) => hook.id);
  return { items: items.map(toHook), next };
}

/**
 * One of the room's webhooks.
 * @throws Refusal of `readSeat`; `webhook_not_found`
 */
export async function getHook(
  tx: Query,
  { actorId, roomId }: Caller,
  hookId: string,
): Promise<OutgoingWebhook> {
  await readSeat(tx, actorId, roomId, "admin");
  const [found] = await selectHooks(tx).where(isHook(roomId, hookId));
  if (!found) throw noSuchHook();
  return toHook(found);
}

/**
 * Makes a webhook for what happens in the room from now on.
 * @returns it with its secret, which is not shown again
 * @throws Refusal of `readSeat`; `validation`, `target_not_allowed`, `too_many_webhooks`
 */
export async function createHook(
  { database, egress, readKey }: WebhookDeps,
  caller: Caller,
  given: CreateOutgoingWebhook,
): Promise<OutgoingWebhookWithSecret> {
  const { actorId, roomId } = caller;
  const { db } = database;
  // First who asks: names are resolved for those alone who may make one.
  await readSeat(db, actorId, roomId, "admin");
  const name = cleanName(given.name, "/name", MAX_WEBHOOK_NAME_LENGTH);
  const url = await checkTarget(egress, given.url);
  const id = Bun.randomUUIDv7();
  const secret = newSecret();
  await db.transaction(async (tx) => {
    const { room } = await lockSeat(tx, actorId, roomId, "admin");
    const [counted] = await tx
      .select({ hooks: count() })
      .from(outgoingWebhooks)
      .where(eq(outgoingWebhooks.roomId, roomId));
    if ((counted?.hooks ?? 0) >= MAX_WEBHOOKS_PER_ROOM) {
      throw new Refusal(
        "too_many_webhooks",
        `A room can have ${MAX_WEBHOOKS_PER_ROOM} webhooks. Delete one that is not needed.`,
      );
    }
    await holdKey(tx);
    await tx.insert(outgoingWebhooks).values({
      id,
      roomId,
      name,
      url,
      events: given.events,
      secret: sealSecret(await readKey(), secret),
      createdBy: actorId,
      afterSeq: room.lastSeq,
    });
  });
  return { ...(await getHook(db, caller, id)), secret };
}

/**
 * Changes what is given. A webhook that is switched on again starts with what happens then, and
 * with what still waited to be sent.
 * @throws Refusal of `readSeat`; `webhook_not_found`, `validation`, `target_not_allowed`
 */
export async function updateHook(
  { database, egress }: WebhookDeps,
  caller: Caller,
  hookId: string,
  given: UpdateOutgoingWebhook,
): Promise<OutgoingWebhook> {
  const { actorId, roomId } = caller;
  const { db } = database;
  await getHook(db, caller, hookId);
  const values: Partial<HookRow> = {};
  if (given.name !== undefined)
    values.name = cleanName(given.name, "/name", MAX_WEBHOOK_NAME_LENGTH);
  if (given.url !== undefined) {
    const url = await checkTarget(egress, given.url);
    Object.assign(values, { url, slowAttempts: 0, restingUntil: null });
  }
  if (given.events !== undefined) values.events = given.events;
  await db.transaction(async (tx) => {
    const { room } = await lockSeat(tx, actorId, roomId, "admin");
    const [hook] = await tx.select().from(outgoingWebhooks).where(isHook(roomId, hookId));
    if (!hook) throw noSuchHook();
    if (given.is_active !== undefined) values.isActive = given.is_active;
    if (given.is_active && !hook.isActive) {
      Object.assign(values, {
        ...{ disabledReason: null, failingSince: null, afterSeq: room.lastSeq },
        ...{ slowAttempts: 0, restingUntil: null },
      });
    }
    if (Object.keys(values).length === 0) return;
    await tx.update(outgoingWebhooks).set(values).where(isHook(roomId, hookId));
  });
  return getHook(db, caller, hookId);
}

/** @throws Refusal of `readSeat`; `webhook_not_found` */
export async function deleteHook(tx: Query, caller: Caller, hookId: string): Promise<void> {
  await getHook(tx, caller, hookId);
  await tx.delete(outgoingWebhooks).where(isHook(caller.roomId, hookId));
}

/**
 * Gives a webhook a new secret. The one before signs beside it for a day.
 * @throws Refusal of `readSeat`; `webhook_not_found`
 */
export async function rotateSecret(
  { database, readKey }: WebhookDeps,
  caller: Caller,
  hookId: string,
): Promise<OutgoingWebhookWithSecret> {
  const { db } = database;
  await getHook(db, caller, hookId);
  const secret = newSecret();
  await db.transaction(async (tx) => {
    await holdKey(tx);
    await tx
      .update(outgoingWebhooks)
      .set({
        previousSecret: sql`${outgoingWebhooks.secret}`,
        previousUntil: sql`clock_timestamp() + ${PREVIOUS_SECRET_HOURS} * interval '1 hour'`,
        secret: sealSecret(await readKey(), secret),
      })
      .where(isHook(caller.roomId, hookId));
  });
  return { ...(await getHook(db, caller, hookId)), secret };
}

/** Before the key is read: whoever rotates it holds this table until the new one is in its place. */
function holdKey(tx: Transaction) {
  return tx.execute(sql`lock table ${outgoingWebhooks} in row exclusive mode`);
}

export function noSuchHook(): Refusal {
  return new Refusal("webhook_not_found", "This room has no such webhook.");
}
