import type { DraftBody } from "../state/draft-copy.ts";
import { t } from "../words/translate.ts";

/** What a draft says: its text, or else what goes with it. */
export function describeDraft({ content, file, image }: DraftBody): string {
  if (content !== "") return content;
  return file?.name ?? t(image ? "drafts.image" : "drafts.quote");
}
