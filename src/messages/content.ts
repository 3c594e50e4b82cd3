import { invalid, Refusal } from "../platform/refusal.ts";
import { MAX_CONTENT_LENGTH } from "../wire/limits.ts";
import type { PostMessage } from "../wire/requests.ts";

/**
 * The text of a message, as written.
 * @throws Refusal `empty_message` for blank text, `validation` past 8,000 code points
 */
export function checkContent(content: string | null | undefined): string {
  if (!content || content.trim() === "") {
    throw new Refusal("empty_message", "Write something first: a message needs text.");
  }
  if (content.length > MAX_CONTENT_LENGTH && [...content].length > MAX_CONTENT_LENGTH) {
    const most = MAX_CONTENT_LENGTH.toLocaleString("en");
    throw invalid("/content", `A message holds at most ${most} characters. Shorten it.`);
  }
  return content;
}

/** @throws Refusal `unknown_upload`: an upload is used by the one who made it, in its room, once */
export function checkUploads({ image_id, file_id }: PostMessage): void {
  const named = image_id ?? file_id;
  if (named) throw new Refusal("unknown_upload", "This upload is unknown here. Upload it again.");
}
