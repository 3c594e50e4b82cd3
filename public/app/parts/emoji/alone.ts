import { emojiData } from "./load.ts";

const NAME = /:([a-z0-9_+-]{1,64}):/gi;
/** One to three emoji, written as they are or by their names. */
const ALONE = /^\s*(?:(?:\p{RGI_Emoji}|:[a-z0-9_+\-]{1,64}:)\s*){1,3}$/iv;

/**
 * True for a text of one to three emoji and nothing else. For one that has names in it that is not
 * known before the table is here; whoever asks while drawing is drawn again then.
 */
export function isEmojiAlone(text: string): boolean {
  if (!ALONE.test(text)) return false;
  return [...text.matchAll(NAME)].every(([, name = ""]) =>
    emojiData.value?.emojiByName(name.toLowerCase()),
  );
}
