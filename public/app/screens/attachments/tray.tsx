import { File as FileIcon, RotateCw, X } from "lucide";
import { useEffect, useState } from "preact/hooks";
import { sizeInWords } from "../../../../src/wire/sizes.ts";
import { uploads } from "../../app.ts";
import { IconButton } from "../../parts/button.tsx";
import { Icon } from "../../parts/icon.tsx";
import type { Upload } from "../../state/uploads.ts";

/** What goes with the next message: how far each file is, and a way to take it off again. */
export function Tray({ roomId }: { roomId: string }) {
  const list = uploads.of(roomId);
  if (list.length === 0) return null;
  return (
    <ul class="tray" aria-label="Attachments">
      {list.map((upload) => (
        <TrayItem key={upload.id} upload={upload} />
      ))}
    </ul>
  );
}

function TrayItem({ upload }: { upload: Upload }) {
  const { id, file, progress, stored, problem, mayRetry } = upload;
  const percent = Math.round(progress * 100);
  return (
    <li class="tray-item" data-state={problem ? "failed" : stored ? "done" : "uploading"}>
      <Thumbnail upload={upload} />
      <div class="grow">
        <b class="truncate" title={file.name}>
          {file.name}
        </b>
        {problem ? (
          <span class="small error" role="alert">
            {problem}
          </span>
        ) : (
          <span class="small muted">
            {stored ? sizeInWords(file.size) : percent === 100 ? "Storing…" : `${percent}%`}
          </span>
        )}
        {!stored && !problem && (
          <progress value={progress} max={1} aria-label={`Uploading ${file.name}`} />
        )}
      </div>
      {mayRetry && (
        <IconButton
          icon={RotateCw}
          label={`Try ${file.name} again`}
          onClick={() => uploads.retry(id)}
        />
      )}
      <IconButton
        icon={X}
        label={stored || problem ? `Remove ${file.name}` : `Cancel ${file.name}`}
        onClick={() => uploads.remove(id)}
      />
    </li>
  );
}

function Thumbnail({ upload: { kind, file } }: { upload: Upload }) {
  const [url, setUrl] = useState<string | null>(null);
  useEffect(() => {
    if (kind !== "image") return;
    const made = URL.createObjectURL(file);
    setUrl(made);
    return () => URL.revokeObjectURL(made);
  }, [kind, file]);
  return (
    <span class="thumb">
      {kind === "image" && url ? <img src={url} alt="" /> : <Icon of={FileIcon} />}
    </span>
  );
}
