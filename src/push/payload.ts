import { plainText } from "../wire/markdown/plain.ts";
import type { PushPayload } from "../wire/push.ts";

/**
 * What encryption adds to a text (RFC 8188, RFC 8291): salt 16, record size 4, key id 1 + 65,
 * delimiter 1, tag 16.
 */
const ENCRYPTION_BYTES = 103;
/** Push services take 4,096 bytes (RFC 8030, 7.2); ours stay under. */
const MAX_BYTES = 4_095 - ENCRYPTION_BYTES;

/** What a notification is made of. */
export type Told = {
  messageId: string;
  roomId: string;
  roomName: string;
  sender: string;
  /** Null for one with an image or a file alone. */
  content: string | null;
  hasImage: boolean;
  createdAt: Date;
};

/** What a notification says, for one who is mentioned and for the others. */
export function bodyOf(told: Told, mentioned: boolean): string {
  const { sender, content, hasImage } = told;
  if (content === null) return `${sender} sent ${hasImage ? "an image" : "a file"}`;
  const text = plainText(content);
  return mentioned ? `${sender} mentioned you: ${text}` : `${sender}: ${text}`;
}

/** The payload of a message as JSON; a long text is cut, so that it can be sent. */
export function payloadOf(told: Told, mentioned: boolean): string {
  return fit(
    (body) => ({
      type: "message",
      title: `#${told.roomName}`,
      body,
      path: `/rooms/${told.roomName}/m/${told.messageId}`,
      room_id: told.roomId,
      message_id: told.messageId,
      mention: mentioned,
      created_at: told.createdAt.toISOString(),
    }),
    bodyOf(told, mentioned),
  );
}

/** What "send a test" sends. */
export function testPayload(): string {
  return JSON.stringify({
    type: "test",
    title: "Snug",
    body: "Notifications work in this browser.",
    path: "/profile/notifications",
  } satisfies PushPayload);
}

/** The most of the text that fits, whole characters only, found by halving. */
function fit(build: (body: string) => PushPayload, text: string): string {
  const whole = JSON.stringify(build(text));
  if (Buffer.byteLength(whole) <= MAX_BYTES) return whole;
  // A character takes a byte at least: more of them never fit.
  const characters = [...new Intl.Segmenter().segment(text.slice(0, 2 * MAX_BYTES))];
  const cut = (count: number) =>
    JSON.stringify(
      build(
        `${characters
          .slice(0, count)
          .map((one) => one.segment)
          .join("")}…`,
      ),
    );
  let fits = 0;
  let most = characters.length;
  while (fits < most) {
    const middle = Math.ceil((fits + most) / 2);
    if (Buffer.byteLength(cut(middle)) <= MAX_BYTES) fits = middle;
    else most = middle - 1;
  }
  return cut(fits);
}
