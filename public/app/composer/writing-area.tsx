import { useEffect } from "preact/hooks";
import type { ComponentProps, RefObject } from "preact";
import { useCompletion } from "./completion.tsx";
import { getWritingTools, loadWritingTools } from "./load-tools.ts";

type Own = {
  roomId: string;
  /** The accessible name. */
  label: string;
  area: RefObject<HTMLTextAreaElement | null>;
  text: string;
  onText(text: string): void;
  /** Called for Enter on devices with a keyboard; on a phone Enter inserts a line break. */
  onEnter(): void;
  /** Called for keys that the text field does not handle. */
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
  useEffect(loadWritingTools, []);
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
          // During composition, Enter belongs to the input method.
          if (event.isComposing || completion.onKeyDown(event)) return;
          if (getWritingTools()?.formatByKey(event)) return;
          if (event.key !== "Enter") return onKey?.(event);
          if (event.shiftKey || !matchMedia("(pointer: fine)").matches)
            getWritingTools()?.breakLine(event);
          else {
            event.preventDefault();
            onEnter();
          }
        }}
      />
    </div>
  );
}
