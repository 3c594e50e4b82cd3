import { emojiData } from "./load-emoji.ts";

const NAME = /:([a-z0-9_+-]{1,64}):/gi;
/** What no emoji has. Nearly every message has one, and this is compiled in a tenth of the time of `ALONE`. */
const LETTER = /\p{L}/u;
/** One to three emoji, as characters or names. */
const ALONE = /^\s*(?:(?:\p{RGI_Emoji}|:[A-Za-z0-9_+\-]{1,64}:)\s*){1,3}$/v;

/**
 * Whether a text is one to three emoji and nothing else. For emoji names that is unknown until the
 * table has loaded; a component that asks while rendering is then rendered again.
 */
export function isEmojiOnly(text: string): boolean {
  if (LETTER.test(text.replaceAll(NAME, "")) || !ALONE.test(text)) return false;
  return [...text.matchAll(NAME)].every(([, name = ""]) =>
    emojiData.value?.emojiByName(name.toLowerCase()),
  );
}
