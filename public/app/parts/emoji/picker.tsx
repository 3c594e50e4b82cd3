import { useEffect, useRef, useState } from "preact/hooks";
import { loadEmoji } from "./load-emoji.ts";
import { chooseTone, noteEmoji, skinTone } from "./recent.ts";
import { Results } from "./results.tsx";
import { SearchBox } from "../search-box.tsx";
import { usePopover } from "../use-popover.ts";
import { t } from "../../words/translate.ts";
import { moveFocus } from "../move-focus.ts";

const TONES = ["✋", "✋🏻", "✋🏼", "✋🏽", "✋🏾", "✋🏿"];

type PickerProps = { anchor: HTMLElement; onPick(emoji: string): void; onClose(): void };

/** Picks an emoji: typing searches, arrows move, Enter picks, Esc closes. */
export function EmojiPicker({ anchor, onPick, onClose }: PickerProps) {
  const ref = useRef<HTMLDivElement>(null);
  const [query, setQuery] = useState("");
  useEffect(() => {
    void loadEmoji();
  }, []);
  usePopover(ref, anchor, "input", onClose);
  const pick = (emoji: string) => {
    noteEmoji(emoji);
    onPick(emoji);
    onClose();
  };
  return (
    <div
      ref={ref}
      class="emoji-picker"
      popover="auto"
      role="dialog"
      aria-label={t("emoji.choose")}
      onKeyDown={(event) => moveInGrid(event, event.currentTarget)}
    >
      <SearchBox
        label={t("emoji.search")}
        placeholder={t("emoji.search-short")}
        value={query}
        onValue={setQuery}
        onKeyDown={(event) => {
          if (event.key !== "Enter") return;
          event.preventDefault();
          ref.current?.querySelector<HTMLElement>(".emoji-grid button")?.click();
        }}
      />
      <Results query={query.trim()} onPick={pick} />
      <fieldset class="emoji-tones">
        <legend class="visually-hidden">{t("emoji.tone")}</legend>
        {TONES.map((hand, tone) => (
          <button
            key={hand}
            type="button"
            aria-label={t("emoji.tone-is", { tone: `t${tone}` })}
            aria-pressed={skinTone.value === tone}
            onClick={() => chooseTone(tone)}
          >
            {hand}
          </button>
        ))}
      </fieldset>
    </div>
  );
}

/** Moves the focus in the grid with the arrow keys; before it is the search. */
function moveInGrid(event: KeyboardEvent, panel: HTMLElement): void {
  const buttons = [...panel.querySelectorAll<HTMLElement>(".emoji-grid button")];
  const at = buttons.indexOf(document.activeElement as HTMLElement);
  if (at === -1) {
    moveFocus(event, buttons, { ArrowDown: 1 });
    return;
  }
  const columns = Math.max(1, Math.floor((buttons[at]?.parentElement?.clientWidth ?? 0) / 36));
  const steps: Record<string, number> = {
    ArrowRight: 1,
    ArrowLeft: -1,
    ArrowDown: columns,
    ArrowUp: -columns,
  };
  if (at + (steps[event.key] ?? 0) >= 0) moveFocus(event, buttons, steps);
  else {
    event.preventDefault();
    panel.querySelector("input")?.focus();
  }
}
