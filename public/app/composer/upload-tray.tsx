import { Captions, File as FileIcon, ImageOff, Paperclip, RotateCw, X } from "lucide";
import { useEffect, useState } from "preact/hooks";
import { MAX_ALT_LENGTH } from "../../../src/wire/limits.ts";
import { Button, IconButton } from "../parts/button.tsx";
import { Dialog } from "../parts/dialog.tsx";
import { Field } from "../parts/field.tsx";
import { Icon } from "../parts/icon.tsx";
import { Picture } from "../parts/picture.tsx";
import { sizeOf } from "../parts/sizes.ts";
import { uploadChanges } from "../session/upload-changes.ts";
import type { Upload, UploadProblem } from "../state/composer/uploads.ts";
import { describeError } from "../words/describe-error.ts";
import { getNumberFormat } from "../words/intl.ts";
import { currentLocale, t } from "../words/translate.ts";

/**
 * The files of a message that is being written, with their progress and buttons to retry or remove
 * them.
 */
export function UploadTray({ uploads: list }: { uploads: Upload[] }) {
  return (
    <ul class="tray gap-12 flex" aria-label={t("files.attachments")}>
      {list.map((upload) => (
        <TrayItem key={upload.id} upload={upload} />
      ))}
    </ul>
  );
}

function TrayItem({ upload }: { upload: Upload }) {
  const { id, file, progress, stored, problem, mayRetry } = upload;
  const [describing, setDescribing] = useState(false);
  const alt = stored && "alt" in stored ? (stored.alt ?? "") : null;
  const share = getNumberFormat(currentLocale(), { style: "percent" }).format(progress);
  return (
    <li class="tray-item rigid row" data-state={problem ? "failed" : stored ? "done" : "uploading"}>
      <Thumbnail upload={upload} />
      <div class="grow grid">
        <b class="strong small truncate" title={file.name}>
          {file.name}
        </b>
        {problem ? (
          <span class="small error" role="alert">
            {wordsOf(problem)}
          </span>
        ) : (
          <span class="small muted truncate">
            {stored ? alt || sizeOf(file.size) : progress === 1 ? t("files.saving") : share}
          </span>
        )}
        {!stored && !problem && (
          <progress
            value={progress}
            max={1}
            aria-label={t("files.uploading", { name: file.name })}
          />
        )}
      </div>
      {mayRetry && (
        <IconButton
          icon={RotateCw}
          label={t("files.retry", { name: file.name })}
          onClick={() => void uploadChanges.retry(id)}
        />
      )}
      {alt !== null && (
        <IconButton
          icon={Captions}
          label={t("files.describe", { name: file.name })}
          pressed={alt !== ""}
          onClick={() => setDescribing(true)}
        />
      )}
      {describing && (
        <DescribeImage
          id={id}
          name={file.name}
          alt={alt ?? ""}
          onClose={() => setDescribing(false)}
        />
      )}
      <IconButton
        icon={X}
        label={
          stored || problem
            ? t("files.remove", { name: file.name })
            : t("files.cancel", { name: file.name })
        }
        onClick={() => void uploadChanges.remove(id)}
      />
    </li>
  );
}

function wordsOf(problem: UploadProblem): string {
  if (problem.code === "over_cap")
    return t("files.over-limit", { size: sizeOf(problem.size), cap: sizeOf(problem.cap) });
  return problem.code === "empty" ? t("files.empty") : describeError(problem);
}

function Thumbnail({ upload: { kind, file, stored } }: { upload: Upload }) {
  const [url, setUrl] = useState<string | null>(null);
  useEffect(() => {
    if (kind !== "image") return;
    if (!(file instanceof File)) {
      setUrl(stored && "url" in stored ? stored.url : null);
      return;
    }
    const objectUrl = URL.createObjectURL(file);
    setUrl(objectUrl);
    return () => URL.revokeObjectURL(objectUrl);
  }, [kind, file]);
  return (
    <span class="thumb grid rigid rounded muted">
      {kind === "image" && url ? (
        <Picture src={url}>
          <Icon of={ImageOff} />
        </Picture>
      ) : (
        <Icon of={FileIcon} />
      )}
    </span>
  );
}

type DescribeProps = { id: string; name: string; alt: string; onClose(): void };

/** Asks what an image shows, for those who cannot see it. */
function DescribeImage({ id, name, alt, onClose }: DescribeProps) {
  const [text, setText] = useState(alt);
  return (
    <Dialog title={name} onClose={onClose}>
      <form
        class="form"
        onSubmit={(event) => {
          event.preventDefault();
          // The dialog is inside the composer's form, which would be submitted.
          event.stopPropagation();
          void uploadChanges.describe(id, text);
          onClose();
        }}
      >
        <Field
          label={t("files.alt")}
          hint={t("files.alt-hint")}
          value={text}
          onValue={setText}
          maxLength={MAX_ALT_LENGTH}
          autocomplete="off"
          autofocus
        />
        <div class="actions">
          <Button onClick={onClose}>{t("cancel")}</Button>
          <Button kind="primary" type="submit">
            {t("save")}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

/** Covers a room or a thread while files are dragged over it. */
export function DropOver({ label }: { label: string }) {
  return (
    <div class="drop-over grid absolute" aria-hidden="true">
      <p class="row gap-12 strong framed">
        <Icon of={Paperclip} />
        {t("files.drop", { room: label })}
      </p>
    </div>
  );
}
