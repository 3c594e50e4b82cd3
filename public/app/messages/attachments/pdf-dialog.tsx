import { Dialog } from "../../parts/dialog.tsx";
import { t } from "../../words/translate.ts";
import type { DialogProps } from "../../session/overlay.ts";

/** A PDF in the browser's own viewer. A `sandbox` attribute would keep the viewer from opening. */
export function PdfDialog({ file, onClose }: DialogProps<"pdf">) {
  const address = `${file.url}?view=true`;
  return (
    <Dialog wide title={file.name} onClose={onClose}>
      <div class="pdf grid gap-16">
        <iframe class="full outlined" src={address} title={file.name} />
        <div class="actions">
          <a class="button" href={address} target="_blank" rel="noopener">
            {t("files.open-tab")}
          </a>
          <a class="button" href={file.url} download={file.name}>
            {t("image.download")}
          </a>
        </div>
      </div>
    </Dialog>
  );
}
