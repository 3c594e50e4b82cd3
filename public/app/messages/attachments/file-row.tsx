import {
  Download,
  File as FileIcon,
  FileArchive,
  FileAudio,
  FileText,
  FileVideoCamera,
} from "lucide";
import type { IconNode } from "lucide";
import type { File as StoredFile } from "../../../../src/wire/models.ts";
import { Icon } from "../../parts/icon.tsx";
import { sizeOf } from "../../parts/sizes.ts";

const ICONS: [RegExp, IconNode][] = [
  [/^video\//, FileVideoCamera],
  [/^audio\//, FileAudio],
  [/zip|compressed|x-tar|x-7z|gzip/, FileArchive],
  [/^text\/|pdf|document|sheet|presentation|json|xml/, FileText],
];

/** A file to download, with its name, size and type. */
export function FileRow({ file }: { file: StoredFile }) {
  const icon = ICONS.find(([type]) => type.test(file.mime))?.[1] ?? FileIcon;
  const extension = /\.([^.]{1,8})$/.exec(file.name)?.[1]?.toUpperCase();
  return (
    <a class="file-row" href={file.url} download={file.name} target="_blank" rel="noopener">
      <Icon of={icon} />
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
