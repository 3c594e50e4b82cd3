import { makeFieldRefusal, Refusal } from "../platform/refusal.ts";
import type { Actor, Token } from "../routing/actor.ts";
import { MAX_CONTENT_LENGTH } from "../wire/limits.ts";
import { extractReferences } from "../wire/markdown/extract.ts";
import type { Broadcast } from "../wire/models.ts";
import type { PostMessage } from "../wire/requests.ts";
import { hasVisible } from "../wire/unicode.ts";
import type { MessageRow } from "./read.ts";

/**
 * A validated message before it is inserted, by column name: with the columns that the database adds it
 * becomes a `MessageRow`. A message with a `via_name` comes from an incoming webhook, which may post
 * whatever its author may post in the room.
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
  /** The message being replied to: a root, or a reply in its thread. */
  reply_to_id: string | null;
  quote_id: string | null;
  preview_url: string | null;
  /** The author's session or token, checked again during the insert; both null for a webhook. */
  session_id: string | null;
  token_id: string | null;
  /** The scheduled message that is being posted, which must not be blocked; null for other messages. */
  scheduled_id: string | null;
  /** The incoming webhook that posts the message, which must not be deleted; null for other messages. */
  via_webhook_id: string | null;
  /** Lower-case names mentioned in the text, which the insert resolves. */
  usernames: string[];
  room_names: string[];
  broadcast: Broadcast | null;
  /** Whether to clear the author's draft with the same `client_id`. */
  clears_draft: boolean;
};

/** An incoming webhook, with the name and icon of its message. */
export type Via = { webhookId: string; name: string; iconEmoji: string | null };

/**
 * The author and their credential. An incoming webhook has neither a session nor a token. A scheduled
 * message is posted with its `scheduledId` and marked as sent in the same statement.
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
    image_alt: image_id === null ? null : cleanImageAlt(body.image_alt),
    group_id: body.group_id ?? null,
    reply_to_id: body.thread_id ?? null,
    quote_id: body.quote_id ?? null,
    preview_url: url,
    usernames,
    room_names: rooms,
    broadcast,
    clears_draft: body.clears_draft === true && typeof body.client_id === "string",
  };
}

/**
 * Validates the text of a message.
 * @param hasUpload whether the message has an image or a file
 * @returns null for blank text with an upload
 * @throws Refusal `empty_message` for blank text without an upload, `validation` above 8,000 code
 * points
 */
export function checkContent(
  content: string | null | undefined,
  hasUpload: boolean,
): string | null {
  if (!content || !hasVisible(content)) {
    if (hasUpload) return null;
    const detail = "Write something first: a message needs text, an image or a file.";
    throw new Refusal("empty_message", detail);
  }
  checkLength(content);
  return content;
}

/** @returns null for blank text */
export function cleanImageAlt(text: string | null | undefined): string | null {
  return text && hasVisible(text) ? text.trim() : null;
}

/** @throws Refusal `validation` above 8,000 code points */
export function checkLength(content: string): void {
  if (content.length <= MAX_CONTENT_LENGTH || [...content].length <= MAX_CONTENT_LENGTH) return;
  const max = MAX_CONTENT_LENGTH.toLocaleString("en");
  throw makeFieldRefusal("/content", `A message can have at most ${max} characters. Shorten it.`);
}
