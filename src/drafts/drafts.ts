import { and, eq, sql } from "drizzle-orm";
import { lockUser } from "../users/users.ts";
import type { Database, SqlClient, Transaction } from "../database/connect.ts";
import { drafts, messages, NO_THREAD } from "../database/schema.ts";
import { notifyInstances } from "../feed/signals.ts";
import { checkLength } from "../messages/new-message.ts";
import {
  checkOwnUploads,
  toRoomRef,
  toUploads,
  type UnsentColumns,
  unsentColumns,
  unsentJoins,
} from "../messages/unsent.ts";
import { Refusal } from "../platform/refusal.ts";
import { parseTime } from "../platform/input/time.ts";
import { lockMembership } from "../rooms/access.ts";
import type { DraftCopy, SaveDraft } from "../wire/drafts.ts";
import { MAX_CLEARED_DRAFTS, MAX_DRAFTS } from "../wire/limits.ts";

/** Identifies a draft; `threadId` is null outside a thread. */
type DraftPlace = { userId: string; roomId: string; threadId: string | null };

type StoredDraft = typeof drafts.$inferSelect;

type DraftContent = Pick<StoredDraft, "content" | "quoteId" | "imageId" | "fileId">;

const EMPTY: DraftContent = { content: null, quoteId: null, imageId: null, fileId: null };
const FIELDS = Object.keys(EMPTY) as (keyof DraftContent)[];

type DraftRow = UnsentColumns & {
  thread_id: string | null;
  content: string | null;
  quote_id: string | null;
  client_id: string | null;
  version: number;
  device: string | null;
  updated_at: Date;
};

const columns = (client: SqlClient) => client`
  d.room_id, nullif(d.thread_id, ${NO_THREAD}::uuid) as thread_id, d.content, d.quote_id, d.client_id,
  d.version, d.device, d.updated_at, ${client.unsafe(unsentColumns("d"))}`;

/** SQL condition that a row is a draft and not a tombstone. */
const IS_LIVE = "num_nonnulls(content, quote_id, image_id, file_id) > 0";

/**
 * Lists a user's drafts, the most recently changed first.
 * @param after also returns drafts that were cleared after this time
 * @throws Refusal `validation`
 */
export async function listDrafts(
  client: SqlClient,
  userId: string,
  after: string | undefined,
): Promise<DraftCopy[]> {
  const since = after === undefined ? null : parseTime(after, "/after");
  const rows = await client<DraftRow[]>`
    select ${columns(client)} from drafts d ${client.unsafe(unsentJoins("d"))}
    where d.user_id = ${userId} and (${client.unsafe(IS_LIVE)} or d.updated_at > ${since}::timestamptz)
    order by d.updated_at desc, d.room_id, d.thread_id`;
  return rows.map(toDraft);
}

/** Reads a draft as its owner's devices see it; version 0 if it does not exist. */
export async function readDraftCopy(client: SqlClient, place: DraftPlace): Promise<DraftCopy> {
  const { userId, roomId, threadId } = place;
  const [row] = await client<DraftRow[]>`
    select ${columns(client)} from drafts d ${client.unsafe(unsentJoins("d"))}
    where d.user_id = ${userId} and d.room_id = ${roomId} and d.thread_id = ${threadId ?? NO_THREAD}`;
  return row ? toDraft(row) : makeNoDraft(place);
}

/**
 * Saves a draft, or clears it if it is empty, unless it has changed since `base_version`. Saving
 * identical content changes nothing. A draft that has been posted in the meantime is cleared.
 * @returns its version
 * @throws Refusal of `lockMembership`, unless it clears; `draft_changed` with the current draft,
 * `too_many_drafts`, `unknown_upload`, `validation` above 8,000 characters
 */
export async function saveDraft(
  { db, sql: client }: Database,
  userId: string,
  body: SaveDraft,
): Promise<number> {
  const place = { userId, roomId: body.room_id, threadId: body.thread_id ?? null };
  const content = readContent(body);
  const result = await db.transaction(async (tx) => {
    await lockUser(tx, { id: userId });
    // Former members may still clear their drafts.
    if (isLive(content)) await lockMembership(tx, userId, place.roomId, "member", "key share");
    const [row] = await tx.select().from(drafts).where(isAt(place)).for("update");
    const version = row?.version ?? 0;
    const follows = version === body.base_version;
    // Before a device posts a draft that another device wrote, it assigns a `client_id`, so that the
    // post clears the draft.
    const isNamed = follows && isLive(content) && (body.client_id ?? null) !== row?.clientId;
    if (isSame(row, content) && !(isNamed && body.client_id)) return { version, isOther: false };
    if (!follows) return { version, isOther: true };
    const isPosted = await wasPosted(tx, userId, body.client_id);
    if (isPosted && !isLive(row)) return { version, isOther: false };
    // The uploads of a posted draft are in use already.
    if (!isPosted) await checkOwnUploads(tx, userId, place.roomId, body);
    if (!isPosted && isLive(content) && !isLive(row)) await refuseTooManyDrafts(tx, userId);
    if (!row) await forgetClearedDrafts(tx, userId);
    const parts = isPosted ? EMPTY : content;
    await writeDraft(tx, place, {
      ...parts,
      clientId: isLive(parts) ? (body.client_id ?? null) : null,
      device: cleanDevice(body.device),
      version: version + 1,
    });
    return { version: version + 1, isOther: false };
  });
  if (result.isOther) {
    const draft = await readDraftCopy(client, place);
    const detail = "Another device has changed this draft meanwhile. Both texts are kept.";
    throw new Refusal("draft_changed", detail, { draft });
  }
  return result.version;
}

/** Clears the draft that `markMessageFailed` created, if its text is unchanged. */
export async function clearRestoredDraft(
  tx: Transaction,
  message: DraftPlace & { id: string; content: string | null },
): Promise<void> {
  const [row] = await tx.select().from(drafts).where(isAt(message)).for("update");
  if (row?.clientId !== message.id || row.content !== message.content) return;
  const version = row.version + 1;
  await writeDraft(tx, message, { ...EMPTY, clientId: null, version, device: null });
}

const isAt = ({ userId, roomId, threadId }: DraftPlace) =>
  and(
    eq(drafts.userId, userId),
    eq(drafts.roomId, roomId),
    eq(drafts.threadId, threadId ?? NO_THREAD),
  );

function isLive(draft: DraftContent = EMPTY): boolean {
  return !isSame(draft, EMPTY);
}

function isSame(existing: DraftContent = EMPTY, next: DraftContent): boolean {
  return FIELDS.every((field) => existing[field] === next[field]);
}

/** Whether a message with this `client_id` was posted before its draft was saved. */
async function wasPosted(tx: Transaction, userId: string, clientId: string | null | undefined) {
  if (!clientId) return false;
  const isPosted = and(eq(messages.authorId, userId), eq(messages.clientId, clientId));
  return (await tx.$count(messages, isPosted)) > 0;
}

async function refuseTooManyDrafts(tx: Transaction, userId: string): Promise<void> {
  const [row] = await tx.execute<{ live: number }>(sql`
    select count(*)::int as live from drafts where user_id = ${userId} and ${sql.raw(IS_LIVE)}`);
  if ((row?.live ?? 0) < MAX_DRAFTS) return;
  const detail = `You have ${MAX_DRAFTS} drafts. Send or clear some; this device keeps this one.`;
  throw new Refusal("too_many_drafts", detail);
}

async function forgetClearedDrafts(tx: Transaction, userId: string): Promise<void> {
  await tx.execute(sql`
    delete from drafts where user_id = ${userId} and (room_id, thread_id) in (
      select room_id, thread_id from drafts
      where user_id = ${userId} and not ${sql.raw(IS_LIVE)}
      order by updated_at desc offset ${MAX_CLEARED_DRAFTS})`);
}

async function writeDraft(
  tx: Transaction,
  { userId, roomId, threadId }: DraftPlace,
  values: DraftContent & Pick<StoredDraft, "clientId" | "device" | "version">,
): Promise<void> {
  const columns = { ...values, updatedAt: sql`clock_timestamp()` };
  await tx
    .insert(drafts)
    .values({ userId, roomId, threadId: threadId ?? NO_THREAD, ...columns })
    .onConflictDoUpdate({
      target: [drafts.userId, drafts.roomId, drafts.threadId],
      set: columns,
    });
  const signal = { kind: "draft_changed", user_id: userId, room_id: roomId } as const;
  await notifyInstances(tx, { ...signal, thread_id: threadId });
}

/** @throws Refusal `validation` */
function readContent({ content, quote_id, image_id, file_id }: SaveDraft): DraftContent {
  checkLength(content ?? "");
  return {
    content: content || null,
    quoteId: quote_id ?? null,
    imageId: image_id ?? null,
    fileId: file_id ?? null,
  };
}

/** Replaces control characters by spaces. @returns null for a blank name */
function cleanDevice(device: string | null | undefined): string | null {
  const clean = device
    ?.toWellFormed()
    .replace(/[\p{Cc}\p{Cf}]+/gu, " ")
    .trim();
  return clean || null;
}

function toDraft(row: DraftRow): DraftCopy {
  const { room_id, thread_id, content, quote_id, client_id, version, device } = row;
  return {
    room_id,
    room: toRoomRef(row),
    thread_id,
    content,
    quote_id,
    ...toUploads(row, null),
    client_id,
    version,
    device,
    updated_at: row.updated_at.toISOString(),
  };
}

function makeNoDraft({ roomId, threadId }: DraftPlace): DraftCopy {
  return {
    room_id: roomId,
    room: null,
    thread_id: threadId,
    content: null,
    quote_id: null,
    image: null,
    file: null,
    client_id: null,
    version: 0,
    device: null,
    updated_at: new Date().toISOString(),
  };
}

const PRUNE_BATCH = 1_000;
/** Unchanged drafts are deleted after this many days. */
const DRAFT_DAYS = 180;
/** A device that is offline for longer does not learn that a draft was sent or cleared. */
const TOMBSTONE_DAYS = 30;

export async function pruneDrafts({ sql: client }: Database, signal: AbortSignal): Promise<void> {
  const deleteOldTombstones = () => client`
    delete from drafts where (user_id, room_id, thread_id) in (
      select user_id, room_id, thread_id from drafts
      where updated_at < clock_timestamp() - ${TOMBSTONE_DAYS} * interval '1 day'
        and (updated_at < clock_timestamp() - ${DRAFT_DAYS} * interval '1 day'
          or not ${client.unsafe(IS_LIVE)})
      limit ${PRUNE_BATCH})`;
  while (!signal.aborted && (await deleteOldTombstones()).count === PRUNE_BATCH);
}
