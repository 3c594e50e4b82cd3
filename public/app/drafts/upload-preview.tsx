import { Paperclip } from "lucide";
import type { File as StoredFile } from "../../../src/wire/models.ts";
import { Icon } from "../parts/icon.tsx";
import { Picture } from "../parts/picture.tsx";
import type { DraftImage, DraftBody } from "../state/model/draft-copy.ts";
import { t } from "../words/translate.ts";

type PreviewProps = { content: string | null; file: StoredFile | null; image: DraftImage | null };

/** The picture of a message in a list, and the name of its file if its text is shown above. */
export function UploadPreview({ content, file, image }: PreviewProps) {
  return (
    <>
      {image && (
        <Picture class="thumbnail row-picture rounded outlined" src={`${image.url}?size=thumb`}>
          {null}
        </Picture>
      )}
      {content && file && (
        <span class="muted small truncate">
          <Icon of={Paperclip} />
          {file.name}
        </span>
      )}
    </>
  );
}

/** The summary of a draft: its text, or else its upload or quote. */
export function describeDraft({ content, file, image }: DraftBody): string {
  return content || (describeUpload(file, image) ?? t("drafts.quote"));
}

/** What is uploaded with a message; null if nothing is. */
export function describeUpload(file: StoredFile | null, image: DraftImage | null): string | null {
  return file?.name ?? (image && (image.alt ?? image.name ?? t("search.image")));
}
