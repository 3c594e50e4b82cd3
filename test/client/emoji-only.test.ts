import { expect, test } from "bun:test";
import { isEmojiOnly } from "../../public/app/parts/emoji/emoji-only.ts";
import { loadEmoji } from "../../public/app/parts/emoji/load-emoji.ts";

test.each([
  ["👍", true],
  [" 🎉 🎉\n🎉 ", true],
  ["🎉🎉🎉🎉", false],
  ["👩‍👩‍👧‍👦", true],
  ["🏴󠁧󠁢󠁥󠁮󠁧󠁿 1️⃣", true],
  [":tada: 👍", true],
  [":TADA:", true],
  [":no_such_emoji:", false],
  ["👍 yes", false],
  ["はい👍", false],
  ["12:30?", false],
  ["", false],
])("%p is emoji and nothing else: %p", async (text, expected) => {
  await loadEmoji();
  expect(isEmojiOnly(text)).toBe(expected);
});
