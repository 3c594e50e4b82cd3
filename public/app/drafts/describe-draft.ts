import type { File as StoredFile } from "../../../src/wire/models.ts";
import type { DraftBody, DraftImage } from "../state/model/draft-copy.ts";
import { t } from "../words/translate.ts";

/** The summary of a draft: its text, or else its upload or quote. */
export function describeDraft({ content, file, image }: DraftBody): string {
  return content || (describeUpload(file, image) ?? t("drafts.quote"));
}

/** What is uploaded with a message; null if nothing is. */
export function describeUpload(file: StoredFile | null, image: DraftImage | null): string | null {
  return file?.name ?? (image && (image.alt ?? image.name ?? t("drafts.image")));
}
