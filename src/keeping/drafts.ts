import type { Database, SqlClient, Transaction } from "../database/connect.ts";
import { drafts } from "../database/schema.ts";
import { makeInvalid, Refusal } from "../platform/refusal.ts";
import { parseTime } from "../platform/time.ts";
import { checkSeat } from "../rooms/access.ts";
import { MAX_CONTENT_LENGTH } from "../wire/limits.ts";
import type { DraftCopy, SaveDraft } from "../wire/keeping.ts";
import { type DraftRow, readDraft, readDrafts } from "./draft-statements.ts";
import { toKeptRoom, toUploads } from "./kept-columns.ts";
import { checkOwnUploads, lockOwner } from "./own-rows.ts";
import {
  type DraftPlace,
  forgetCleared,
  isAt,
  isLive,
  isSame,
  NOTHING,
  type Parts,
  refuseTooMany,
  wasPosted,
  writeDraft,
} from "./draft-rows.ts";

/**
 * Lists all drafts of someone, the last changed first.
 * @param after adds the drafts that were cleared after this time
 * @throws Refusal `validation`
 */
export async function listDrafts(
  client: SqlClient,
  userId: string,
  after: string | undefined,
): Promise<DraftCopy[]> {
  const since = after === undefined ? null : parseTime(after, "/after");
  return (await readDrafts(client, userId, since)).map(toDraft);
}

/** The draft of a place as all devices of its owner see it; version 0 where there is none. */
export async function readDraftCopy(client: SqlClient, place: DraftPlace): Promise<DraftCopy> {
  const [row] = await readDraft(client, place.userId, place.roomId, place.threadId);
  return row ? toDraft(row) : makeNoDraft(place);
}

/**
 * Saves a draft, or clears it if it is empty, provided that nobody has changed it since
 * `base_version`. Saving what is stored already changes nothing; a draft that was posted meanwhile
 * is cleared.
 * @returns its version
 * @throws Refusal of `checkSeat`, unless it clears; `draft_changed` with the other draft,
 * `too_many_drafts`, `unknown_upload`, `validation` past 8,000 characters
 */
export async function saveDraft(
  { db, sql: client }: Database,
  userId: string,
  body: SaveDraft,
): Promise<number> {
  const place = { userId, roomId: body.room_id, threadId: body.thread_id ?? null };
  const wanted = readParts(body);
  // People who were removed may still clear their own drafts.
  if (isLive(wanted)) await checkSeat(client, userId, place.roomId, "member");
  const result = await db.transaction(async (tx) => {
    await lockOwner(tx, userId);
    const [known] = await tx.select().from(drafts).where(isAt(place)).for("update");
    const version = known?.version ?? 0;
    const follows = version === body.base_version;
    // A device that is about to post another device's draft gives it a `client_id`, so that the
    // post clears it.
    const isNamed = follows && isLive(wanted) && (body.client_id ?? null) !== known?.clientId;
    if (isSame(known, wanted) && !(isNamed && body.client_id)) return { version, isOther: false };
    if (!follows) return { version, isOther: true };
    const isPosted = await wasPosted(tx, userId, body.client_id);
    if (isPosted && !isLive(known)) return { version, isOther: false };
    // The uploads of a posted draft are used already.
    if (!isPosted) await checkOwnUploads(tx, userId, place.roomId, body);
    if (!isPosted && isLive(wanted) && !isLive(known)) await refuseTooMany(tx, userId);
    if (!known) await forgetCleared(tx, userId);
    const parts = isPosted ? NOTHING : wanted;
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

/**
 * Clears a draft that still has the text of a message that could not be sent, as `markFailed` has
 * put it there.
 */
export async function clearRestoredDraft(
  tx: Transaction,
  place: DraftPlace,
  clientId: string,
  content: string | null,
): Promise<void> {
  const [known] = await tx.select().from(drafts).where(isAt(place)).for("update");
  if (known?.clientId !== clientId || known.content !== content) return;
  const version = known.version + 1;
  await writeDraft(tx, place, { ...NOTHING, clientId: null, version, device: null });
}

/** @throws Refusal `validation` */
function readParts({ content, quote_id, image_id, file_id }: SaveDraft): Parts {
  if (content && content.length > MAX_CONTENT_LENGTH && [...content].length > MAX_CONTENT_LENGTH) {
    const max = MAX_CONTENT_LENGTH.toLocaleString("en");
    throw makeInvalid("/content", `A message holds at most ${max} characters. Shorten it.`);
  }
  return {
    content: content || null,
    quoteId: quote_id ?? null,
    imageId: image_id ?? null,
    fileId: file_id ?? null,
  };
}

/** Names longer than the column are cut, control characters are left out. */
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
    ...{ room_id, room: toKeptRoom(row), thread_id, content, quote_id },
    ...toUploads(row, null),
    ...{ client_id, version, device, updated_at: row.updated_at.toISOString() },
  };
}

function makeNoDraft({ roomId, threadId }: DraftPlace): DraftCopy {
  return {
    ...{ room_id: roomId, room: null, thread_id: threadId, content: null, quote_id: null },
    ...{ image: null, file: null, client_id: null, version: 0, device: null },
    updated_at: new Date().toISOString(),
  };
}
