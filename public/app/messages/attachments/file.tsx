import { Download } from "lucide";
import type { File as StoredFile } from "../../../../src/wire/models.ts";
import { Icon } from "../../parts/icon.tsx";
import { FileIcon } from "./file-icon.tsx";
import { kindOf } from "./file-kind.ts";
import { sizeOf } from "../../parts/sizes.ts";

/** A file with its name, size and type: to download, and to play here if browsers can. */
export function MessageFile({ file }: { file: StoredFile }) {
  const kind = kindOf(file.mime);
  return (
    <>
      {kind === "video" && (
        // biome-ignore lint/a11y/useMediaCaption: what people send has no captions
        <video src={file.url} controls preload="metadata" playsInline aria-label={file.name} />
      )}
      <FileRow file={file} />
      {kind === "audio" && (
        // biome-ignore lint/a11y/useMediaCaption: what people send has no captions
        <audio src={file.url} controls preload="none" aria-label={file.name} />
      )}
    </>
  );
}

function FileRow({ file }: { file: StoredFile }) {
  const extension = /\.([^.]{1,8})$/.exec(file.name)?.[1]?.toUpperCase();
  return (
    <a class="file-row" href={file.url} download={file.name} target="_blank" rel="noopener">
      <FileIcon mime={file.mime} />
      <span class="grow">
        <b class="truncate" dir="auto" title={file.name}>
          {file.name}
        </b>
        <span class="small muted">
          {[sizeOf(file.size_bytes), extension].filter(Boolean).join(" · ")}
        </span>
      </span>
      <Icon of={Download} />
    </a>
  );
}
