import type { ComponentProps, RefObject } from "preact";
import { useRef, useState } from "preact/hooks";
import { quietRest } from "../parts/load-rest.tsx";
import { useGrowth } from "../parts/use-growth.ts";
import { breakLine, formatByKey } from "./format-area.ts";

const WritingAid = quietRest("WritingAid");

type Own = {
  roomId: string;
  label: string;
  area: RefObject<HTMLTextAreaElement | null>;
  text: string;
  onText(text: string): void;
  /** Called for Enter on devices with a keyboard; on a phone Enter inserts a line break. */
  onEnter(): void;
  /** Called for keys that the text field does not handle. */
  onKey?(event: KeyboardEvent): void;
};
type Others = Pick<ComponentProps<"textarea">, "rows" | "placeholder" | "onPaste">;

/** The text area of a message: it completes names, and shortcuts format the selection. */
export function WritingArea({
  roomId,
  label,
  area,
  text,
  onText,
  onEnter,
  onKey,
  ...others
}: Own & Others) {
  const [caret, setCaret] = useState(0);
  useGrowth(area, text);
  const completionKeys = useRef<((event: KeyboardEvent) => boolean) | null>(null);
  return (
    <div class="writing flex relative grow">
      <WritingAid
        roomId={roomId}
        text={text}
        caret={caret}
        onCaret={setCaret}
        area={area}
        keys={completionKeys}
      />
      <textarea
        {...others}
        ref={area}
        dir="auto"
        aria-label={label}
        aria-autocomplete="list"
        value={text}
        enterkeyhint="enter"
        onSelect={(event) => setCaret(event.currentTarget.selectionStart)}
        onInput={(event) => {
          setCaret(event.currentTarget.selectionStart);
          onText(event.currentTarget.value);
        }}
        onKeyDown={(event) => {
          if (completionKeys.current?.(event)) return;
          if (formatByKey(event)) return;
          // Alt with an arrow goes to another room.
          if (event.key !== "Enter") return event.altKey ? undefined : onKey?.(event);
          if (event.shiftKey || !matchMedia("(pointer: fine)").matches) breakLine(event);
          else {
            event.preventDefault();
            onEnter();
          }
        }}
      />
    </div>
  );
}
