import type { ComponentChildren } from "preact";
import { useRef, useState } from "preact/hooks";
import { uploads } from "../session/upload-list.ts";
import { t } from "../words/translate.ts";

type DropZoneProps = {
  roomId: string;
  /** The thread to whose next reply files are attached. */
  threadId?: string;
  label: string;
  disabled: boolean;
  children: ComponentChildren;
};

/** Attaches files that are dropped on it. */
export function DropZone({ roomId, threadId, label, disabled, children }: DropZoneProps) {
  const [over, setOver] = useState(false);
  // dragenter of a child fires before dragleave of its parent.
  const depth = useRef(0);
  const carriesFiles = (event: DragEvent) =>
    !disabled && (event.dataTransfer?.types.includes("Files") ?? false);
  return (
    <section
      class={threadId ? "pane thread-pane" : "pane"}
      aria-label={label}
      onDragEnter={(event) => {
        if (!carriesFiles(event)) return;
        depth.current += 1;
        setOver(true);
      }}
      onDragLeave={(event) => {
        if (!carriesFiles(event)) return;
        depth.current -= 1;
        if (depth.current <= 0) setOver(false);
      }}
      onDragOver={(event) => carriesFiles(event) && event.preventDefault()}
      onDrop={(event) => {
        if (!carriesFiles(event)) return;
        event.preventDefault();
        depth.current = 0;
        setOver(false);
        void uploads.add(roomId, event.dataTransfer?.files ?? [], threadId);
        event.currentTarget.querySelector<HTMLElement>(".composer textarea")?.focus();
      }}
    >
      {children}
      {over && (
        <div class="drop-over" aria-hidden="true">
          <p>{t("files.drop", { room: label })}</p>
        </div>
      )}
    </section>
  );
}
