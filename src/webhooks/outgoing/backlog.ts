import { and, asc, eq, gt, notExists } from "drizzle-orm";
import type { Database } from "../../database/connect.ts";
import { type Params, prepareQuery } from "../../database/prepared.ts";
import { outgoingWebhooks, roomLog, webhookDeliveries } from "../../database/schema.ts";
import { buildPayloads } from "./payloads.ts";
import { insertDeliveries } from "./statements.ts";

const ENTRIES_AT_ONCE = 100;
/**
 * While this many deliveries of a webhook are pending, no more are created: later events stay in
 * the room's log.
 */
export const MAX_PENDING = 1_000;

const findPosition = prepareQuery("webhook_position", (db, params: Params<{ id: string }>) =>
  db
    .select({
      roomId: outgoingWebhooks.roomId,
      afterSeq: outgoingWebhooks.afterSeq,
      events: outgoingWebhooks.events,
    })
    .from(outgoingWebhooks)
    .where(
      and(
        eq(outgoingWebhooks.id, params.id),
        eq(outgoingWebhooks.isActive, true),
        notExists(
          db
            .select({ id: webhookDeliveries.id })
            .from(webhookDeliveries)
            .where(
              and(
                eq(webhookDeliveries.webhookId, params.id),
                eq(webhookDeliveries.state, "pending"),
              ),
            )
            .offset(MAX_PENDING - 1),
        ),
      ),
    ),
);

const findEntries = prepareQuery(
  "webhook_log_entries",
  (db, params: Params<{ roomId: string; after: number }>) =>
    db
      .select({ seq: roomLog.seq, type: roomLog.type, createdAt: roomLog.createdAt })
      .from(roomLog)
      .where(and(eq(roomLog.roomId, params.roomId), gt(roomLog.seq, params.after)))
      .orderBy(asc(roomLog.seq))
      .limit(ENTRIES_AT_ONCE),
);

/**
 * Creates deliveries of what the room's log holds after the webhook's position, and advances the
 * position in the same statement: whenever a process dies, nothing is lost and nothing is there twice.
 * @returns false if there was nothing to read, the webhook is paused or gone, too much of it is
 * pending, or another process has advanced the position meanwhile
 */
export async function createDeliveries(database: Database, webhookId: string): Promise<boolean> {
  const { db, sql } = database;
  const [position] = await findPosition(db, { id: webhookId });
  if (!position) return false;
  const { roomId, afterSeq, events } = position;
  const entries = await findEntries(db, { roomId, after: afterSeq });
  const last = entries.at(-1);
  if (!last) return false;
  const payloads = await buildPayloads(database, roomId, entries, events);
  return insertDeliveries(sql, webhookId, { from: afterSeq, to: last.seq }, payloads);
}
