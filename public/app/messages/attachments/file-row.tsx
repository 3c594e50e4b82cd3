import { Download, File } from "lucide";
import type { File as StoredFile } from "../../../../src/wire/models.ts";
import { Icon } from "../../parts/icon.tsx";
import { lazy } from "../../parts/lazy.tsx";
import { sizeOf } from "../../parts/sizes.ts";

const FileIcon = lazy("main", () => import("./file-icon.tsx").then((m) => m.FileIcon), {
  quiet: true,
  placeholder: <Icon of={File} />,
});

/** A file to download, with its name, size and type. */
export function FileRow({ file }: { file: StoredFile }) {
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
