import { gemoji } from "gemoji";
import slackNames from "./emoji-names.json";

/** `:name:` with up to two skin tones, as Slack writes them. */
const CODE = /(?<![\p{L}\p{N}]):([a-z0-9_+'-]{1,64}):(?::skin-tone-([2-6])(?:-([2-6]))?:)?/gu;
const IS_EMOJI = /^\p{RGI_Emoji}$/v;
const MODIFIERS = ["🏻", "🏼", "🏽", "🏾", "🏿"];
/** Regional indicators, two of which are a flag. */
const FIRST_INDICATOR = 0x1f1e6;

/**
 * Slack's names of emoji that GitHub does not know, or has for another emoji, without flags of
 * countries. Generated from `short_names` in emoji-datasource 16.0.0 (Cal Henderson, MIT), which
 * Slack uses.
 */
const SLACK_NAMES = new Map(Object.entries(slackNames));
let githubNames: Map<string, string> | undefined;

/** Finds an emoji by name, preferring Slack's names; null for an unknown name. */
function emojiOf(name: string): string | null {
  const [, country] = /^flag-([a-z]{2})$/.exec(name) ?? [];
  if (country) {
    const letters = [...country].map((letter) => letter.charCodeAt(0) - 97 + FIRST_INDICATOR);
    const flag = String.fromCodePoint(...letters);
    return IS_EMOJI.test(flag) ? flag : null;
  }
  githubNames ??= new Map(gemoji.flatMap(({ emoji, names }) => names.map((name) => [name, emoji])));
  return SLACK_NAMES.get(name) ?? githubNames.get(name) ?? null;
}

/** Applies Slack's skin tones (2 to 6), one per person; returns the emoji unchanged if it has no tones. */
function addTones(emoji: string, tones: string[]): string {
  // The joined hands between two people have no tone.
  const people = emoji.split("\u200d\u{1f91d}\u200d");
  let next = 0;
  const toSkinTone = (person: string) =>
    person.replace(/(\p{Emoji_Modifier_Base})\ufe0f?/gu, (_, base: string) => {
      const tone = tones[Math.min(next++, tones.length - 1)];
      return base + (MODIFIERS[Number(tone) - 2] ?? "");
    });
  const result = people.map(toSkinTone).join("\u200d\u{1f91d}\u200d");
  return IS_EMOJI.test(result) ? result : emoji;
}

/** Replaces emoji names by emoji; unknown names stay unchanged. */
export function replaceEmojiNames(text: string): string {
  if (!text.includes(":")) return text;
  return text.replace(CODE, (code, name: string, first?: string, second?: string) => {
    const emoji = emojiOf(name);
    if (emoji === null) return code;
    return first ? addTones(emoji, second ? [first, second] : [first]) : emoji;
  });
}

/** The emoji of a short code such as `:tada:` or `tada`, or the emoji itself; null for anything else. */
export function findEmoji(code: string): string | null {
  const text = code.trim();
  if (IS_EMOJI.test(text)) return text;
  // Some older characters need a variation selector to be emoji.
  if (IS_EMOJI.test(`${text}\ufe0f`)) return `${text}\ufe0f`;
  const name = text.replace(/^:+|:+$/g, "");
  const emoji = replaceEmojiNames(`:${name}:`);
  return IS_EMOJI.test(emoji) ? emoji : null;
}
