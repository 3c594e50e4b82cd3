import { invalid, Refusal } from "../platform/refusal.ts";
import { MAX_CONTENT_LENGTH } from "../wire/limits.ts";
import { extractReferences } from "../wire/markdown/extract.ts";
import type { PostMessage } from "../wire/requests.ts";
import { hasVisible } from "../wire/visible.ts";

/** A message that was checked but not written. */
export type Draft = {
  id: string;
  roomId: string;
  authorId: string;
  /** Null only beside an upload. */
  content: string | null;
  clientId: string | null;
  imageId: string | null;
  fileId: string | null;
  /** Names in the text, in lower case. The statement that writes the message resolves them. */
  usernames: string[];
  rooms: string[];
  previewUrl: string | null;
  /** Of an incoming webhook: it posts whatever its author may do in the room. */
  via: Via | null;
};

/** The name and icon that an incoming webhook posts with. */
export type Via = { name: string; iconEmoji: string | null };

/** @throws Refusal `empty_message`, `validation` */
export function createDraft(
  authorId: string,
  roomId: string,
  body: PostMessage,
  via: Via | null,
): Draft {
  const imageId = body.image_id ?? null;
  const fileId = body.file_id ?? null;
  const content = checkContent(body.content, imageId !== null || fileId !== null);
  const { usernames, rooms, url } = extractReferences(content);
  return {
    id: Bun.randomUUIDv7(),
    roomId,
    authorId,
    content,
    clientId: body.client_id?.toLowerCase() ?? null,
    imageId,
    fileId,
    usernames,
    rooms,
    previewUrl: url,
    via,
  };
}

/** Whether a draft carries nothing but its text. */
export function isPlain({ imageId, fileId, usernames, rooms, previewUrl, via }: Draft): boolean {
  return !via && !imageId && !fileId && !previewUrl && usernames.length === 0 && rooms.length === 0;
}

/** A draft without its text, and what waits for it. */
const DRAFT_BYTES = 1_000;

export function estimateDraftBytes({ content }: Draft): number {
  return DRAFT_BYTES + 2 * (content?.length ?? 0);
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
    throw invalid("/content", `A message holds at most ${max} characters. Shorten it.`);
  }
  return content;
}
