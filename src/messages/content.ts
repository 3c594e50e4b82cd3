import { invalid, Refusal } from "../platform/refusal.ts";
import { MAX_CONTENT_LENGTH } from "../wire/limits.ts";
import { hasVisible } from "../wire/visible.ts";

/**
 * The text of a message, as written.
 * @param hasUpload whether an image or a file goes with it
 * @returns null for text of which nothing is seen, beside an upload
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
    const most = MAX_CONTENT_LENGTH.toLocaleString("en");
    throw invalid("/content", `A message holds at most ${most} characters. Shorten it.`);
  }
  return content;
}

/** An upload is used by the one who made it, in its room, once. */
export function unknownUpload(): Refusal {
  return new Refusal(
    "unknown_upload",
    "This upload is not yours, is for another room, or was used already. Upload it again.",
  );
}
