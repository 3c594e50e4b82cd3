import type { ComponentProps, RefObject } from "preact";
import { writeInto } from "../parts/write-into.ts";
import { format } from "../state/formatting.ts";
import { useCompletion } from "./completion.tsx";

type Own = {
  roomId: string;
  /** What it is called, for those who do not see it. */
  label: string;
  area: RefObject<HTMLTextAreaElement | null>;
  text: string;
  onText(text: string): void;
  /** Enter, where there is a keyboard; on a phone it breaks the line. */
  onEnter(): void;
  /** A key that is nothing to the text. */
  onKey?(event: KeyboardEvent): void;
};
type Rest = Pick<ComponentProps<"textarea">, "rows" | "placeholder" | "onPaste">;

/** The text area of a message: it completes names, and shortcuts format the selection. */
export function WritingArea({
  roomId,
  label,
  area,
  text,
  onText,
  onEnter,
  onKey,
  ...rest
}: Own & Rest) {
  const completion = useCompletion(roomId, text, area);
  return (
    <div class="writing">
      {completion.list}
      <textarea
        {...rest}
        {...completion.attributes}
        ref={area}
        dir="auto"
        aria-label={label}
        value={text}
        enterkeyhint="enter"
        onSelect={(event) => completion.setCaret(event.currentTarget.selectionStart)}
        onInput={(event) => {
          completion.setCaret(event.currentTarget.selectionStart);
          onText(event.currentTarget.value);
        }}
        onKeyDown={(event) => {
          // While composing with an input method, Enter belongs to it.
          if (event.isComposing || completion.onKeyDown(event)) return;
          if (formatSelection(event)) return;
          if (event.key === "Enter" && !event.shiftKey && matchMedia("(pointer: fine)").matches) {
            event.preventDefault();
            onEnter();
          } else onKey?.(event);
        }}
      />
    </div>
  );
}

/** @returns true if the key was one that formats */
function formatSelection(event: KeyboardEvent & { currentTarget: HTMLTextAreaElement }): boolean {
  if (event.altKey || (!event.ctrlKey && !event.metaKey)) return false;
  const { value: text, selectionStart: start, selectionEnd: end } = event.currentTarget;
  const key = `${event.shiftKey ? "shift+" : ""}${event.key.toLowerCase()}`;
  const formatted = format(key, { text, start, end });
  if (!formatted) return false;
  event.preventDefault();
  writeInto(event.currentTarget, formatted);
  return true;
}
