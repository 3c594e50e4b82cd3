import {
  Archive,
  Download,
  File,
  FileAudio,
  FileText,
  FileVideoCamera,
  type IconNode,
  ImageOff,
} from "lucide";
import type { File as StoredFile } from "../../../../src/wire/models.ts";
import { isPdf } from "../../../../src/wire/files.ts";
import { openDialog } from "../../session/overlay.ts";
import { Icon } from "../../parts/icon.tsx";
import { sizeOf } from "../../parts/sizes.ts";
import { t } from "../../words/translate.ts";

/** A file with its name, size and type, to download, or to play or read here if the browser can. */
export function MessageFile({ file }: { file: StoredFile }) {
  const kind = kindOf(file.mime);
  return (
    <>
      {kind === "video" && (
        // biome-ignore lint/a11y/useMediaCaption: uploads have no captions
        <video src={file.url} controls preload="metadata" playsInline aria-label={file.name} />
      )}
      {isPdf(file.mime) && navigator.pdfViewerEnabled ? (
        <PdfRow file={file} />
      ) : (
        <a
          class="file-row hover gap-12 row framed"
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
        // biome-ignore lint/a11y/useMediaCaption: uploads have no captions
        <audio src={file.url} controls preload="none" aria-label={file.name} />
      )}
    </>
  );
}

/**
 * A PDF opens in a dialog; after a tap or with a modifier key, in a tab with the system's viewer.
 */
function PdfRow({ file }: { file: StoredFile }) {
  return (
    <div class="file-row hover gap-12 row framed">
      <a
        class="file-open grow gap-12 row"
        href={`${file.url}?view=true`}
        target="_blank"
        rel="noopener"
        onClick={(event) => {
          const { ctrlKey, metaKey, shiftKey } = event;
          if (ctrlKey || metaKey || shiftKey || !matchMedia("(pointer: fine)").matches) return;
          event.preventDefault();
          openDialog({ name: "pdf", file });
        }}
      >
        <AboutFile file={file} />
      </a>
      <FileDownload file={file} />
    </div>
  );
}

/** Browsers add the extension of its type to a name that has none. */
export function FileDownload({ file: { name, url } }: { file: Pick<StoredFile, "name" | "url"> }) {
  return (
    <a
      class="icon-button"
      href={url}
      download={name}
      aria-label={t("files.download", { name })}
      data-tooltip={t("image.download")}
    >
      <Icon of={Download} />
    </a>
  );
}

function AboutFile({ file }: { file: StoredFile }) {
  const { name, mime } = file;
  return (
    <>
      <FileIcon mime={mime} />
      <span class="grow grid">
        <b class="strong small truncate" dir="auto" title={name}>
          {name}
        </b>
        <span class="small muted">{describeFile(file)}</span>
      </span>
    </>
  );
}

/** "PDF · 41 KB" */
function describeFile({ name, size_bytes }: StoredFile): string {
  const extension = /\.([^.]{1,8})$/.exec(name)?.[1]?.toUpperCase();
  return [extension, sizeOf(size_bytes)].filter(Boolean).join(" · ");
}

const ICONS: [RegExp, IconNode][] = [
  [/^video\//, FileVideoCamera],
  [/^audio\//, FileAudio],
  [/zip|compressed|x-tar|x-7z|gzip/, Archive],
  [/^text\/|pdf|document|sheet|presentation|json|xml/, FileText],
];

export function FileIcon({ mime }: { mime: string }) {
  return <Icon of={ICONS.find(([type]) => type.test(mime))?.[1] ?? File} />;
}

export function BrokenIcon() {
  return <Icon of={ImageOff} />;
}

/**
 * Types that browsers play. The sender may lie about the type, but a player can only play the file.
 */
const PLAYED =
  /^(audio|video)\/(?:mpeg|mp4|ogg|webm|wav|x-wav|wave|aac|flac|x-flac|x-m4a|quicktime|opus)$/;

/** Determined before the code that shows the file is loaded, so that its space is reserved. */
export function kindOf(mime: string): "audio" | "video" | "file" {
  const kind = PLAYED.exec(mime.split(";")[0]?.trim().toLowerCase() ?? "")?.[1];
  return kind === "audio" || kind === "video" ? kind : "file";
}
