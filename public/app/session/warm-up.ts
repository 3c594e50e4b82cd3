import { parseMarkdown } from "../../../src/wire/markdown/parse.ts";
import { isEmojiOnly } from "../parts/emoji/emoji-only.ts";
import { takeTurn } from "../parts/take-turn.ts";
import { dayName, fullTimeOf, timeOf } from "../parts/times.ts";

/**
 * Uses for the first time what the first messages need, while their answer is under way: a browser loads
 * its data of dates, and compiles what parses text, with the first use.
 */
export async function warmUp(): Promise<void> {
  const now = new Date().toISOString();
  await takeTurn();
  timeOf(now);
  await takeTurn();
  fullTimeOf(now);
  dayName(now);
  await takeTurn();
  parseMarkdown(
    "One **line** with a [link](https://example.org), `code` and @name\n\n```ts\n1\n```",
  );
  isEmojiOnly("text");
}
