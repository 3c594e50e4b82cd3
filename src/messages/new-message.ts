import { makeInvalid, Refusal } from "../platform/refusal.ts";
import type { Actor, Token } from "../routing/actor.ts";
import { MAX_CONTENT_LENGTH } from "../wire/limits.ts";
import { extractReferences } from "../wire/markdown/extract.ts";
import type { Broadcast } from "../wire/models.ts";
import type { PostMessage } from "../wire/requests.ts";
import { hasVisible } from "../wire/unicode.ts";
import type { MessageRow } from "./read.ts";

/**
 * A message that was checked but not written, by the names of its columns: what the database adds to
 * it makes it a `MessageRow`. One with a `via_name` is of an incoming webhook, which posts whatever
 * its author may do in the room.
 */
export type NewMessage = Pick<
  MessageRow,
  | "id"
  | "room_id"
  | "author_id"
  | "content"
  | "client_id"
  | "edited_at"
  | "via_name"
  | "via_icon_emoji"
> & {
  image_id: string | null;
  file_id: string | null;
  image_alt: string | null;
  group_id: string | null;
  /** The message that it replies to: a root, or a reply of its thread. */
  reply_to_id: string | null;
  quote_id: string | null;
  preview_url: string | null;
  /** What the author posts with, checked again when the message is written; null for neither. */
  session_id: string | null;
  token_id: string | null;
  /** The scheduled message that is posted, while it is not blocked; null for any other. */
  scheduled_id: string | null;
  /** The incoming webhook that posts it, while it is not deleted; null for any other. */
  via_webhook_id: string | null;
  /** Names in the text, in lower case. The statement that writes the message resolves them. */
  usernames: string[];
  room_names: string[];
  broadcast: Broadcast | null;
  /** Whether a draft of the author is cleared that was saved with the same `client_id`. */
  clears_draft: boolean;
};

/** An incoming webhook, and the name and icon that it posts with. */
export type Via = { webhookId: string; name: string; iconEmoji: string | null };

/**
 * Who posts, and with what. An incoming webhook posts with neither a session nor a token. What was
 * scheduled is posted with its `scheduledId`, and is marked as sent with it.
 */
export type Author = Pick<Actor, "id" | "sessionId"> & {
  token: Pick<Token, "id"> | null;
  scheduledId?: string;
};

/** @throws Refusal `empty_message`, `validation` */
export function parseMessage(
  author: Author,
  roomId: string,
  body: PostMessage,
  via: Via | null,
): NewMessage {
  const image_id = body.image_id ?? null;
  const file_id = body.file_id ?? null;
  const content = checkContent(body.content, image_id !== null || file_id !== null);
  const { usernames, rooms, url, broadcast } = extractReferences(content);
  return {
    id: Bun.randomUUIDv7(),
    room_id: roomId,
    author_id: author.id,
    session_id: author.sessionId,
    token_id: author.token?.id ?? null,
    scheduled_id: author.scheduledId ?? null,
    content,
    client_id: body.client_id?.toLowerCase() ?? null,
    edited_at: null,
    via_name: via?.name ?? null,
    via_icon_emoji: via?.iconEmoji ?? null,
    via_webhook_id: via?.webhookId ?? null,
    image_id,
    file_id,
    image_alt:
      image_id && hasVisible(body.image_alt ?? "") ? (body.image_alt?.trim() ?? null) : null,
    group_id: body.group_id?.toLowerCase() ?? null,
    reply_to_id: body.thread_id?.toLowerCase() ?? null,
    quote_id: body.quote_id?.toLowerCase() ?? null,
    preview_url: url,
    usernames,
    room_names: rooms,
    broadcast,
    clears_draft: body.clears_draft === true && typeof body.client_id === "string",
  };
}

/** The size of a message without its text, and of its place in the queue. */
const MESSAGE_BYTES = 1_000;

/** About how much memory a new message takes while it waits to be written. */
export function estimateBytes({ content }: NewMessage): number {
  return MESSAGE_BYTES + 2 * (content?.length ?? 0);
}

/**
 * The text of a message, as written.
 * @param hasUpload whether an image or a file goes with it
 * @returns null for text without a visible character, beside an upload
 * @throws Refusal `empty_message` for such text alone, `validation` past 8,000 code points
 */
export function checkContent(
  content: string | null | undefined,
  hasUpload: boolean,
): string | null {
  if (!content || !hasVisible(content)) {
    if (hasUpload) return null;
    throw new Refusal(
      "empty_message",
      "Write something first: a message needs text, an image or a file.",
    );
  }
  if (content.length > MAX_CONTENT_LENGTH && [...content].length > MAX_CONTENT_LENGTH) {
    const max = MAX_CONTENT_LENGTH.toLocaleString("en");
    throw makeInvalid("/content", `A message holds at most ${max} characters. Shorten it.`);
  }
  return content;
}
