import type { DraftBody } from "../state/drafts/draft-copy.ts";
import { t } from "../words/translate.ts";

/** The summary of a draft: its text, or else its upload or quote. */
export function describeDraft({ content, file, image }: DraftBody): string {
  if (content !== "") return content;
  return file?.name ?? t(image ? "drafts.image" : "drafts.quote");
}
