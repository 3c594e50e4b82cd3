import { and, eq, gt, isNull, sql } from "drizzle-orm";
import type { Drizzle } from "../database/connect.ts";
import { messages, rooms, users } from "../database/schema.ts";
import { toPlainText } from "../wire/markdown/plain.ts";
import type { PushPreview } from "../wire/models.ts";
import { type DeclarativePush, type PushPayload, tagOf } from "../wire/push.ts";

/**
 * Bytes that encryption adds to a payload (RFC 8188, RFC 8291): salt 16, record size 4, key id 1 + 65,
 * delimiter 1, tag 16.
 */
const ENCRYPTION_BYTES = 103;
/** Push services accept 4,096 bytes (RFC 8030, 7.2). */
const MAX_BYTES = 4_095 - ENCRYPTION_BYTES;
/** Notifications are sent only for messages newer than this. */
export const NEWS_SECONDS = 86_400;

/** The data of a message that its notification uses. `content` is null for an image or file without text. */
export type NotifiedMessage = NonNullable<Awaited<ReturnType<typeof readMessage>>>;

/** Reads the message for a notification; null if it was deleted or is too old. */
export async function readMessage(db: Drizzle, id: string) {
  const [message] = await db
    .select({
      messageId: messages.id,
      roomId: messages.roomId,
      threadId: messages.threadId,
      kind: rooms.kind,
      roomName: rooms.name,
      sender: sql<string>`coalesce(${messages.viaName}, ${users.displayName}, ${users.username})`,
      content: messages.content,
      hasImage: sql<boolean>`${messages.imageId} is not null`,
      createdAt: messages.createdAt,
    })
    .from(messages)
    .innerJoin(rooms, eq(rooms.id, messages.roomId))
    .innerJoin(users, eq(users.id, messages.authorId))
    .where(
      and(
        eq(messages.id, id),
        isNull(messages.deletedAt),
        gt(messages.createdAt, sql`clock_timestamp() - ${NEWS_SECONDS} * interval '1 second'`),
      ),
    );
  return message ?? null;
}

/** What differs between the notifications of one message. */
export type Audience = { is_mentioned: boolean; preview: PushPreview };

/** The payload of a message as JSON; a long text is truncated to fit. */
export function buildPayload(
  message: NotifiedMessage,
  audience: Audience,
  baseUrl: string,
): string {
  return truncateToFit(
    baseUrl,
    (body) => ({
      type: "message",
      title: titleOf(message, audience),
      body,
      path: pathOf(message, audience),
      room_id: message.roomId,
      message_id: message.messageId,
      mention: isForOne(message, audience),
      created_at: message.createdAt.toISOString(),
    }),
    describeMessage(message, audience),
  );
}

/** Whether a message concerns the recipient personally: a mention, or any message of a conversation. */
export function isForOne({ kind }: NotifiedMessage, { is_mentioned }: Audience): boolean {
  return kind === "direct" || is_mentioned;
}

function titleOf({ kind, roomName, sender }: NotifiedMessage, { preview }: Audience): string {
  if (preview === "none") return "Snug";
  return kind === "direct" ? sender : `#${roomName}`;
}

/** Without a preview the path has the room's id, because a name could reveal who is talking. */
function pathOf(message: NotifiedMessage, { preview }: Audience) {
  const { kind, roomId, roomName, threadId, messageId } = message;
  const place = kind === "direct" ? `direct/${roomId}` : `rooms/${roomName}`;
  const thread = threadId === null ? "" : `/t/${threadId}`;
  const address = preview === "none" && kind === "room" ? `rooms/${roomId}` : place;
  return `/${address}${thread}/m/${messageId}`;
}

function describeMessage(message: NotifiedMessage, { is_mentioned, preview }: Audience): string {
  const { kind, sender, content, hasImage } = message;
  if (preview === "none") return "You have a new message";
  const isDirect = kind === "direct";
  if (preview === "sender") {
    if (isDirect) return "Sent you a message";
    return is_mentioned ? `${sender} mentioned you` : `${sender} sent a message`;
  }
  if (content === null) {
    const upload = hasImage ? "an image" : "a file";
    return isDirect ? `Sent ${upload}` : `${sender} sent ${upload}`;
  }
  const text = toPlainText(content);
  if (isDirect) return text;
  return is_mentioned ? `${sender} mentioned you: ${text}` : `${sender}: ${text}`;
}

/** Encodes an id in base64url, 22 characters, as the topic of its notifications. */
export function topicOf(id: string): string {
  return Buffer.from(id.replaceAll("-", ""), "hex").toString("base64url");
}

export function buildTestPayload(baseUrl: string): string {
  return toJson(baseUrl, {
    type: "test",
    title: "Snug",
    body: "Notifications work in this browser.",
    path: "/profile/notifications",
  });
}

/**
 * Serializes a payload for the service worker, together with its declarative form for browsers that
 * support Declarative Web Push.
 */
function toJson(baseUrl: string, payload: PushPayload): string {
  const { title, body, path } = payload;
  const declarative: DeclarativePush = {
    web_push: 8030,
    notification: {
      title,
      body,
      tag: tagOf(payload),
      navigate: baseUrl + path,
      icon: `${baseUrl}/icons/icon-192.png`,
      data: { path, count: 1 },
    },
  };
  return JSON.stringify({ ...payload, ...declarative });
}

/** Builds a payload with as many complete characters of the text as fit, by binary search. */
export function truncateToFit(
  baseUrl: string,
  build: (body: string) => PushPayload,
  text: string,
): string {
  const fullPayload = toJson(baseUrl, build(text));
  if (Buffer.byteLength(fullPayload) <= MAX_BYTES) return fullPayload;
  // A character takes at least one byte, so more characters never fit.
  const characters = [...new Intl.Segmenter().segment(text.slice(0, 2 * MAX_BYTES))];
  const truncate = (count: number) => {
    const start = characters.slice(0, count).map(({ segment }) => segment);
    return toJson(baseUrl, build(`${start.join("")}…`));
  };
  let fits = 0;
  let max = characters.length;
  while (fits < max) {
    const middle = Math.ceil((fits + max) / 2);
    if (Buffer.byteLength(truncate(middle)) <= MAX_BYTES) fits = middle;
    else max = middle - 1;
  }
  return truncate(fits);
}
