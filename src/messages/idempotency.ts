import { and, eq, sql } from "drizzle-orm";
import type { Database, Drizzle, SqlClient } from "../database/connect.ts";
import { idempotencyKeys } from "../database/schema.ts";
import { makeFieldRefusal, Refusal } from "../platform/refusal.ts";
import { hashToken } from "../platform/secrets/secrets.ts";
import { CODES } from "../wire/codes.ts";
import type { PostResult } from "./post.ts";

const KEY_HOURS = 24;
/** Maximum number of keys per sender within that time. */
const MAX_KEYS = 10_000;
const PRUNE_BATCH = 10_000;

/** The `client_id` to post with; `createdAt` is when the key was first sent. */
export type PostKey = { clientId: string; createdAt: Date };

/**
 * Posts once for each `Idempotency-Key` of a sender, even if the message was deleted since
 * (draft-ietf-httpapi-idempotency-key-header-07). A refused post does not use up its key.
 * @param senderId the account or incoming webhook, each of which has separate keys
 * @param body the content and target of the post
 * @param post receives null without the header
 * @returns the id of the earlier message if the key was used before
 * @throws Refusal `validation` unless the key is 1 to 255 visible ASCII characters;
 * `idempotency_key_used` if the key was used with another body in the last 24 hours; `rate_limited`
 * above 10,000 keys; those of the post
 */
export async function postOnce(
  { db, sql: client }: Database,
  senderId: string,
  headers: Headers,
  body: unknown,
  post: (key: PostKey | null) => Promise<PostResult>,
): Promise<PostResult | { earlierId: string }> {
  const text = headers.get("idempotency-key");
  if (text === null) return post(null);
  const row = await recordKey(client, senderId, text, hashToken(JSON.stringify(body)));
  if (row.message_id !== null) return { earlierId: row.message_id };
  const isThis = and(
    eq(idempotencyKeys.senderId, senderId),
    eq(idempotencyKeys.clientId, row.client_id),
  );
  try {
    const result = await post({ clientId: row.client_id, createdAt: row.created_at });
    await db.update(idempotencyKeys).set({ messageId: result.message.id }).where(isThis);
    return result;
  } catch (error) {
    const isRefused = error instanceof Refusal && CODES[error.code][0] < 500;
    if (isRefused) await db.delete(idempotencyKeys).where(isThis);
    throw error;
  }
}

type KeyRow = { client_id: string; body_hash: Buffer; created_at: Date; message_id: string | null };

async function recordKey(
  client: SqlClient,
  senderId: string,
  text: string,
  bodyHash: Buffer,
): Promise<KeyRow> {
  if (!/^[\x21-\x7e]{1,255}$/.test(text)) {
    throw makeFieldRefusal(
      "/headers/idempotency-key",
      "A key is 1 to 255 visible ASCII characters.",
    );
  }
  const isOld = client`k.created_at < clock_timestamp() - ${KEY_HOURS} * interval '1 hour'`;
  // The update locks the row of an existing key, so that the statement returns it.
  const [row] = await client<KeyRow[]>`
    insert into idempotency_keys as k (sender_id, key_hash, body_hash, client_id)
    select ${senderId}::uuid, ${hashToken(text)}::bytea, ${bodyHash}::bytea, ${Bun.randomUUIDv7()}::uuid
    where (
      select count(*) from (
        select from idempotency_keys where sender_id = ${senderId} limit ${MAX_KEYS}) known
    ) < ${MAX_KEYS}
    on conflict (sender_id, key_hash) do update set
      body_hash = case when ${isOld} then excluded.body_hash else k.body_hash end,
      client_id = case when ${isOld} then excluded.client_id else k.client_id end,
      message_id = case when ${isOld} then null else k.message_id end,
      created_at = case when ${isOld} then excluded.created_at else k.created_at end
    returning client_id, body_hash, created_at, message_id`;
  if (!row) {
    const detail = `${MAX_KEYS.toLocaleString("en")} keys were used within ${KEY_HOURS} hours. Post without one.`;
    throw new Refusal("rate_limited", detail, { retryAfter: 3_600 });
  }
  if (!row.body_hash.equals(bodyHash)) {
    const detail = "This Idempotency-Key was sent with another body. Take a new one.";
    throw new Refusal("idempotency_key_used", detail);
  }
  return row;
}

export async function deleteOldIdempotencyKeys(db: Drizzle): Promise<void> {
  for (let deletedCount = PRUNE_BATCH; deletedCount === PRUNE_BATCH;) {
    const { count } = await db.execute(sql`
      delete from idempotency_keys where client_id = any(array(
        select client_id from idempotency_keys
        where created_at < clock_timestamp() - ${KEY_HOURS} * interval '1 hour' limit ${PRUNE_BATCH}))`);
    deletedCount = count;
  }
}
