import { useEffect, useRef, useState } from "preact/hooks";
import { loadEmoji } from "./load-emoji.ts";
import { chooseTone, addRecentEmoji, skinTone } from "./recent.ts";
import { GroupBar, Results } from "./results.tsx";
import { SearchBox } from "../search-box.tsx";
import { Popup } from "../popup.tsx";
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
  const pick = (emoji: string) => {
    addRecentEmoji(emoji);
    onPick(emoji);
    onClose();
  };
  return (
    <Popup
      content={ref}
      label={t("emoji.choose")}
      role="dialog"
      class="emoji-picker"
      anchor={anchor}
      first="input"
      onKeyDown={(event) => ref.current && moveInGrid(event, ref.current)}
      onClose={onClose}
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
      {query.trim() === "" && <GroupBar picker={ref} />}
      <Results query={query.trim()} onPick={pick} />
      <fieldset class="emoji-tones flex">
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
    </Popup>
  );
}

/** Moves the focus in the grid with the arrow keys; Up from the first row goes to the search. */
function moveInGrid(event: KeyboardEvent, panel: HTMLElement): void {
  const buttons = [...panel.querySelectorAll<HTMLElement>(".emoji-grid button")];
  const at = buttons.indexOf(document.activeElement as HTMLElement);
  if (at === -1) {
    moveFocus(event, buttons, { ArrowDown: 1 });
    return;
  }
  const { parentElement: grid, offsetWidth = 1 } = buttons[at] ?? {};
  const columns = Math.max(1, Math.floor((grid?.clientWidth ?? 0) / offsetWidth));
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
