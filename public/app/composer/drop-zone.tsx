import type { ComponentChildren } from "preact";
import { useRef, useState } from "preact/hooks";
import { quietRest } from "../parts/load-rest.tsx";
import { uploads } from "../session/upload-list.ts";

const DropOver = quietRest("DropOver");

type DropZoneProps = {
  roomId: string;
  /** The thread whose next reply gets the files. */
  threadId?: string;
  label: string;
  disabled: boolean;
  /** True while something else covers the zone. */
  inert?: boolean;
  children: ComponentChildren;
};

export function DropZone({ roomId, threadId, label, disabled, inert, children }: DropZoneProps) {
  const [over, setOver] = useState(false);
  // dragenter of a child fires before dragleave of its parent.
  const depth = useRef(0);
  const carriesFiles = (event: DragEvent) =>
    !disabled && (event.dataTransfer?.types.includes("Files") ?? false);
  return (
    <section
      class={threadId ? "pane thread-pane rigid" : "pane"}
      aria-label={label}
      inert={inert}
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
      {over && <DropOver label={label} />}
    </section>
  );
}
