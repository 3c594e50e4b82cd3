import { useEffect, useRef, useState } from "preact/hooks";
import type { Emoji } from "./data.ts";
import { emojiData, loadEmoji } from "./load.ts";
import { chooseTone, noteEmoji, recentEmoji, skinTone } from "./recent.ts";
import { say } from "../../words/say.ts";

const MOST_FOUND = 80;
const TONES = ["✋", "✋🏻", "✋🏼", "✋🏽", "✋🏾", "✋🏿"];

type PickerProps = { anchor: HTMLElement; onPick(emoji: string): void; onClose(): void };

/** Chooses an emoji: type to search, arrows move, Enter takes, Esc closes. */
export function EmojiPicker({ anchor, onPick, onClose }: PickerProps) {
  const ref = useRef<HTMLDivElement>(null);
  const [query, setQuery] = useState("");
  useEffect(() => {
    void loadEmoji();
    const panel = ref.current;
    if (!panel) return;
    panel.showPopover();
    place(panel, anchor);
    panel.querySelector("input")?.focus();
    const onToggle = (event: ToggleEvent) => event.newState === "closed" && onClose();
    panel.addEventListener("toggle", onToggle);
    return () => panel.removeEventListener("toggle", onToggle);
  }, []);
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
      aria-label={say("emoji.choose")}
      onKeyDown={(event) => moveInGrid(event, event.currentTarget)}
    >
      <input
        type="search"
        aria-label={say("emoji.search")}
        placeholder={say("emoji.search-short")}
        value={query}
        onInput={(event) => setQuery(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key !== "Enter") return;
          event.preventDefault();
          ref.current?.querySelector<HTMLElement>(".emoji-grid button")?.click();
        }}
      />
      <Results query={query.trim()} onPick={pick} />
      <fieldset class="emoji-tones">
        <legend class="visually-hidden">{say("emoji.tone")}</legend>
        {TONES.map((hand, tone) => (
          <button
            key={hand}
            type="button"
            aria-label={say("emoji.tone-is", { tone: `t${tone}` })}
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

function Results({ query, onPick }: { query: string; onPick(emoji: string): void }) {
  const data = emojiData.value;
  if (!data) return <div class="emoji-list" aria-busy="true" />;
  if (query) {
    const found = data.searchEmoji(query, MOST_FOUND);
    return (
      <div class="emoji-list">
        {found.length === 0 && <p class="muted small">{say("emoji.none", { query })}</p>}
        <Grid emojis={found} onPick={onPick} />
      </div>
    );
  }
  const recent = recentEmoji.value.map((emoji) => ({
    ...NOTHING,
    emoji,
    label: data.labelOf(emoji),
  }));
  return (
    <div class="emoji-list">
      <h3>{say("emoji.last")}</h3>
      <Grid emojis={recent} onPick={onPick} />
      {data.emojiGroups.map((group) => (
        <section key={group}>
          <h3>{groupName(group)}</h3>
          <Grid emojis={data.emojis.filter((one) => one.group === group)} onPick={onPick} />
        </section>
      ))}
    </div>
  );
}

/** What the groups of the table are called. */
const GROUPS = {
  "Smileys & Emotion": "emoji.smileys",
  "People & Body": "emoji.people",
  "Animals & Nature": "emoji.animals",
  "Food & Drink": "emoji.food",
  "Travel & Places": "emoji.travel",
  Activities: "emoji.activities",
  Objects: "emoji.objects",
  Symbols: "emoji.symbols",
  Flags: "emoji.flags",
} as const;

function groupName(group: string): string {
  return group in GROUPS ? say(GROUPS[group as keyof typeof GROUPS]) : group;
}

const NOTHING = { names: [], tags: [], group: "", tones: [] };

function Grid({ emojis, onPick }: { emojis: Emoji[]; onPick(emoji: string): void }) {
  return (
    <div class="emoji-grid">
      {emojis.map((one) => {
        const emoji = one.tones[skinTone.value - 1] ?? one.emoji;
        return (
          <button
            key={one.emoji}
            type="button"
            title={one.names[0] ? `${one.label} :${one.names[0]}:` : one.label}
            aria-label={one.label}
            onClick={() => onPick(emoji)}
          >
            {emoji}
          </button>
        );
      })}
    </div>
  );
}

/** Beside its button, and never outside the page. */
function place(panel: HTMLElement, anchor: HTMLElement): void {
  const at = anchor.getBoundingClientRect();
  const size = panel.getBoundingClientRect();
  const above = at.top - size.height - 4;
  const top = at.bottom + 4 + size.height < innerHeight ? at.bottom + 4 : above;
  panel.style.top = `${Math.min(Math.max(8, top), innerHeight - size.height - 8)}px`;
  panel.style.left = `${Math.min(Math.max(8, at.right - size.width), innerWidth - size.width - 8)}px`;
}

/** Arrows go to the neighbour that is seen there, whatever the row is made of. */
function moveInGrid(event: KeyboardEvent, panel: HTMLElement): void {
  const buttons = [...panel.querySelectorAll<HTMLElement>(".emoji-grid button")];
  const at = buttons.indexOf(document.activeElement as HTMLElement);
  if (at === -1) {
    if (event.key !== "ArrowDown") return;
    event.preventDefault();
    buttons[0]?.focus();
    return;
  }
  const columns = Math.max(1, Math.floor((buttons[at]?.parentElement?.clientWidth ?? 0) / 36));
  const steps: Record<string, number> = {
    ArrowRight: 1,
    ArrowLeft: -1,
    ArrowDown: columns,
    ArrowUp: -columns,
  };
  const step = steps[event.key];
  if (step === undefined) return;
  event.preventDefault();
  if (at + step < 0) panel.querySelector("input")?.focus();
  else buttons[Math.min(buttons.length - 1, at + step)]?.focus();
}
