import type { Emoji } from "./data.ts";
import { emojiData } from "./load-emoji.ts";
import { recentEmoji, skinTone } from "./recent.ts";
import { t } from "../../words/translate.ts";

const MAX_RESULTS = 80;

/** The results of a search; without one, the recent emoji and all groups. */
export function Results({ query, onPick }: { query: string; onPick(emoji: string): void }) {
  const data = emojiData.value;
  if (!data) return <div class="emoji-list" aria-busy="true" />;
  if (query) {
    const matches = data.searchEmoji(query, MAX_RESULTS);
    return (
      <div class="emoji-list">
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
    <div class="emoji-list">
      {recent.length > 0 && (
        <section>
          <h3 class="muted tiny strong">{t("emoji.recent")}</h3>
          <Grid emojis={recent} onPick={onPick} />
        </section>
      )}
      {data.emojiGroups.map((group) => (
        <section key={group}>
          <h3 class="muted tiny strong">{groupName(group)}</h3>
          <Grid emojis={data.emojis.filter((emoji) => emoji.group === group)} onPick={onPick} />
        </section>
      ))}
    </div>
  );
}

/** The words of the table's groups. */
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
  return group in GROUPS ? t(GROUPS[group as keyof typeof GROUPS]) : group;
}

const NOTHING = { names: [], tags: [], group: "", tones: [] };

function Grid({ emojis, onPick }: { emojis: Emoji[]; onPick(emoji: string): void }) {
  return (
    <div class="emoji-grid">
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
