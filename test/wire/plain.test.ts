import { expect, test } from "bun:test";
import { toPlainText } from "../../src/wire/markdown/plain.ts";

test.each([
  ["**Bold** and *soft*, `code` and ~~gone~~", "Bold and soft, code and gone"],
  ["one\ntwo\n\nthree", "one two three"],
  ["> said\n\nyes", "“said” yes"],
  ["1. first\n2. second", "first, second"],
  ["```ts\nlet a;\n```", "let a;"],
  ["[a link](https://example.org) for @ada in #room :tada:", "a link for @ada in #room :tada:"],
  ["<b>no markup</b> & such", "<b>no markup</b> & such"],
])("%p reads %p", (source, text) => {
  expect(toPlainText(source)).toBe(text);
});
