import { Download } from "lucide";
import type { File as StoredFile } from "../../../../src/wire/models.ts";
import { isPdf } from "../../../../src/wire/files.ts";
import { overlay } from "../../session/overlay.ts";
import { Icon } from "../../parts/icon.tsx";
import { FileIcon } from "./file-icon.tsx";
import { kindOf } from "./file-kind.ts";
import { sizeOf } from "../../parts/sizes.ts";
import { t } from "../../words/translate.ts";

/** A file with its name, size and type: to download, and to play or read here if browsers can. */
export function MessageFile({ file }: { file: StoredFile }) {
  const kind = kindOf(file.mime);
  return (
    <>
      {kind === "video" && (
        // biome-ignore lint/a11y/useMediaCaption: what people send has no captions
        <video src={file.url} controls preload="metadata" playsInline aria-label={file.name} />
      )}
      {isPdf(file.mime) && navigator.pdfViewerEnabled ? (
        <PdfRow file={file} />
      ) : (
        <a
          class="file-row row framed"
          href={file.url}
          download={file.name}
          target="_blank"
          rel="noopener"
        >
          <AboutFile file={file} />
          <Icon of={Download} />
        </a>
      )}
      {kind === "audio" && (
        // biome-ignore lint/a11y/useMediaCaption: what people send has no captions
        <audio src={file.url} controls preload="none" aria-label={file.name} />
      )}
    </>
  );
}

/** A PDF opens above the room; with a finger or a modifier key, in a tab with the system's own viewer. */
function PdfRow({ file }: { file: StoredFile }) {
  return (
    <div class="file-row row framed">
      <a
        class="file-open row"
        href={`${file.url}?view=true`}
        target="_blank"
        rel="noopener"
        onClick={(event) => {
          const { ctrlKey, metaKey, shiftKey } = event;
          if (ctrlKey || metaKey || shiftKey || !matchMedia("(pointer: fine)").matches) return;
          event.preventDefault();
          overlay.value = { name: "pdf", file };
        }}
      >
        <AboutFile file={file} />
      </a>
      <a
        class="icon-button"
        href={file.url}
        download={file.name}
        aria-label={t("files.download", { name: file.name })}
        title={t("image.download")}
      >
        <Icon of={Download} />
      </a>
    </div>
  );
}

function AboutFile({ file: { name, mime, size_bytes } }: { file: StoredFile }) {
  const extension = /\.([^.]{1,8})$/.exec(name)?.[1]?.toUpperCase();
  return (
    <>
      <FileIcon mime={mime} />
      <span class="grow">
        <b class="truncate" dir="auto" title={name}>
          {name}
        </b>
        <span class="small muted">
          {[sizeOf(size_bytes), extension].filter(Boolean).join(" · ")}
        </span>
      </span>
    </>
  );
}
