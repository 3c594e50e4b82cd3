import { gemoji } from "gemoji";

export type Emoji = {
  emoji: string;
  label: string;
  /** The names used between colons, the most common first. */
  names: string[];
  /** Further search terms. */
  tags: string[];
  group: string;
  /** From light to dark; empty if it has no skin tones. */
  tones: string[];
};

const MODIFIERS = ["🏻", "🏼", "🏽", "🏾", "🏿"];

/**
 * The skin tones of an emoji whose first character allows them (UTS 51, 2.4), if each variant is an
 * emoji.
 */
function tonesOf(emoji: string): string[] {
  if (!/^\p{Emoji_Modifier_Base}/u.test(emoji)) return [];
  const [first = "", ...rest] = [...emoji];
  const after = rest[0] === "\u{fe0f}" ? rest.slice(1) : rest;
  const tones = MODIFIERS.map((modifier) => [first, modifier, ...after].join(""));
  return tones.every((tone) => /^\p{RGI_Emoji}$/v.test(tone)) ? tones : [];
}

/** All emoji in the usual order. */
export const emojis: Emoji[] = gemoji.map(({ emoji, description, names, tags, category }) => ({
  emoji,
  label: description,
  names,
  tags,
  group: category,
  tones: tonesOf(emoji),
}));

export const emojiGroups: string[] = [...new Set(emojis.map((emoji) => emoji.group))];

const byName = new Map(emojis.flatMap((emoji) => emoji.names.map((name) => [name, emoji])));
const byEmoji = new Map(
  emojis.flatMap((entry) => [entry.emoji, ...entry.tones].map((emoji) => [emoji, entry])),
);

/** The emoji of a name between colons; undefined if no emoji has it. */
export function emojiByName(name: string): Emoji | undefined {
  return byName.get(name);
}

/** The label of an emoji of any skin tone. */
export function labelOf(emoji: string): string {
  return byEmoji.get(emoji)?.label ?? emoji;
}

/** Finds emoji: first by the start of a name, then by label and tags. */
export function searchEmoji(query: string, max: number): Emoji[] {
  const words = query.toLowerCase();
  const searchedName = words.replaceAll(" ", "_");
  const rank = ({ names, label, tags }: Emoji) => {
    if (names.includes(searchedName)) return 0;
    if (names.some((name) => name.startsWith(searchedName))) return 1;
    if (label.startsWith(words) || tags.some((tag) => tag.startsWith(words))) return 2;
    return names.some((name) => name.includes(searchedName)) || label.includes(words) ? 3 : 4;
  };
  return emojis
    .map((emoji) => ({ emoji, at: rank(emoji) }))
    .filter(({ at }) => at < 4)
    .sort((a, b) => a.at - b.at)
    .slice(0, max)
    .map(({ emoji }) => emoji);
}
