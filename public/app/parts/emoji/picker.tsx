import type { RefObject } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { t } from "../../words/translate.ts";
import { LoadError } from "../error-text.tsx";
import { LEFT_AND_RIGHT, moveFocus } from "../move-focus.ts";
import { Popup } from "../popup.tsx";
import { SearchBox } from "../search-box.tsx";
import type { Emoji } from "./data.ts";
import { emojiData, loadEmoji } from "./load-emoji.ts";
import { addRecentEmoji, chooseTone, recentEmoji, skinTone } from "./recent.ts";

const MAX_RESULTS = 80;
const TONES = ["✋", "✋🏻", "✋🏼", "✋🏽", "✋🏾", "✋🏿"];

type PickerProps = { anchor: HTMLElement; onPick(emoji: string): void; onClose(): void };

/** Picks an emoji: typing searches, arrows move, Enter picks, Esc closes. */
export function EmojiPicker({ anchor, onPick, onClose }: PickerProps) {
  const ref = useRef<HTMLDivElement>(null);
  const [query, setQuery] = useState("");
  const [group, setGroup] = useState<string | null>(null);
  const [hasFailed, setHasFailed] = useState(false);
  const load = async () => {
    setHasFailed(false);
    setHasFailed((await loadEmoji()) === null);
  };
  useEffect(() => void load(), []);
  const retry = () => {
    ref.current?.querySelector("input")?.focus();
    void load();
  };
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
      {query.trim() === "" && <GroupBar picker={ref} current={group} />}
      {hasFailed && !emojiData.value ? (
        <LoadError text={t("part.not-loaded-text")} onRetry={retry} />
      ) : (
        <Results query={query.trim()} onPick={pick} onGroup={setGroup} />
      )}
      <fieldset class="emoji-tones rounded flex">
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

type ResultsProps = {
  query: string;
  onPick(emoji: string): void;
  /** Called with the group at the top after scrolling. */
  onGroup(group: string | null): void;
};

/** The results of a search; without one, the recent emoji and all groups. */
function Results({ query, onPick, onGroup }: ResultsProps) {
  const data = emojiData.value;
  if (!data) return <div class="emoji-list scroll" aria-busy="true" />;
  if (query) {
    const matches = data.searchEmoji(query, MAX_RESULTS);
    return (
      <div class="emoji-list scroll">
        {matches.length === 0 && <p class="muted small">{t("emoji.none", { query })}</p>}
        <Grid emojis={matches} onPick={onPick} />
      </div>
    );
  }
  const recent = recentEmoji.value.map((emoji) => ({
    ...NOTHING,
    emoji,
    label: data.labelOf(emoji),
  }));
  return (
    <div
      class="emoji-list scroll"
      onScroll={({ currentTarget }) => onGroup(groupAtTop(currentTarget))}
    >
      {recent.length > 0 && (
        <section data-group={RECENT}>
          <h3 class="sticky muted tiny strong">{t("emoji.recent")}</h3>
          <Grid emojis={recent} onPick={onPick} />
        </section>
      )}
      {data.emojiGroups.map((group) => (
        <section key={group} data-group={group}>
          <h3 class="sticky muted tiny strong">{groupName(group)}</h3>
          <Grid emojis={data.emojis.filter((emoji) => emoji.group === group)} onPick={onPick} />
        </section>
      ))}
    </div>
  );
}

function groupAtTop(list: HTMLElement): string | null {
  const top = list.offsetTop + list.scrollTop;
  const sections = [...list.querySelectorAll<HTMLElement>("[data-group]")];
  return sections.findLast(({ offsetTop }) => offsetTop <= top + 1)?.dataset.group ?? null;
}

const RECENT = "recent";
const SIGNS: Record<string, string> = {
  [RECENT]: "🕘",
  "Smileys & Emotion": "😀",
  "People & Body": "👋",
  "Animals & Nature": "🐻",
  "Food & Drink": "🍎",
  "Travel & Places": "🚗",
  Activities: "⚽",
  Objects: "💡",
  Symbols: "🔣",
  Flags: "🏁",
};

type GroupBarProps = { picker: RefObject<HTMLElement | null>; current: string | null };

/** Buttons that scroll to the groups of emoji. Left and Right move between them. */
function GroupBar({ picker, current }: GroupBarProps) {
  const groups = emojiData.value?.emojiGroups ?? [];
  const all = recentEmoji.value.length > 0 ? [RECENT, ...groups] : groups;
  const scrollTo = (group: string) => {
    const section = picker.current?.querySelector<HTMLElement>(`[data-group="${group}"]`);
    section?.scrollIntoView({ block: "start" });
  };
  return (
    <div
      class="emoji-groups flex between"
      role="toolbar"
      aria-label={t("emoji.groups")}
      onKeyDown={(event) =>
        moveFocus(event, [...event.currentTarget.querySelectorAll("button")], LEFT_AND_RIGHT, {
          wraps: true,
        })
      }
    >
      {all.map((group, i) => (
        <button
          key={group}
          type="button"
          tabIndex={i === 0 ? 0 : -1}
          data-tooltip={groupName(group)}
          aria-label={groupName(group)}
          aria-current={group === (current ?? all[0]) ? "true" : undefined}
          onClick={() => scrollTo(group)}
        >
          {SIGNS[group]}
        </button>
      ))}
    </div>
  );
}

const GROUPS = {
  [RECENT]: "emoji.recent",
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
  return group in GROUPS ? t(GROUPS[group as keyof typeof GROUPS]) : group;
}

const NOTHING = { names: [], tags: [], group: "", tones: [] };

function Grid({ emojis, onPick }: { emojis: Emoji[]; onPick(emoji: string): void }) {
  return (
    <div class="emoji-grid grid">
      {emojis.map((entry) => {
        const emoji = entry.tones[skinTone.value - 1] ?? entry.emoji;
        return (
          <button
            key={entry.emoji}
            type="button"
            data-tooltip={entry.names[0] ? `${entry.label} :${entry.names[0]}:` : entry.label}
            aria-label={entry.label}
            onClick={() => onPick(emoji)}
          >
            {emoji}
          </button>
        );
      })}
    </div>
  );
}
