import { describe, expect, test } from "bun:test";
import {
  continueList,
  applyFormat,
  type Selected,
} from "../../public/app/state/composer/formatting.ts";
import { looksLikeCode } from "../../public/app/state/composer/looks-like-code.ts";

/** A text with its selection between bars, or its caret at one bar. */
function parse(marked: string): Selected {
  const [before = "", inner = "", after] = marked.split("|");
  if (after === undefined) {
    return { text: before + inner, start: before.length, end: before.length };
  }
  const start = before.length;
  return { text: before + inner + after, start, end: start + inner.length };
}

function show({ text, start, end }: Selected): string {
  const inner = start === end ? "|" : `|${text.slice(start, end)}|`;
  return text.slice(0, start) + inner + text.slice(end);
}

describe("formatting", () => {
  test.each([
    ["bold", "so |bold| it is", "so **|bold|** it is"],
    ["bold", "so **|bold|** it is", "so |bold| it is"],
    ["code", "a |b| c", "a `|b|` c"],
    ["link", "see |this|", "see [this](|https://|)"],
    ["link", "|https://snug.example|", "[|text|](https://snug.example)"],
    ["bullets", "one\ntw|o\nthree", "one\n- tw|o\nthree"],
    ["bullets", "|one\ntwo|", "|- one\n- two|"],
    ["bullets", "|- one\n- two|", "|one\ntwo|"],
    ["numbers", "|one\ntwo|", "|1. one\n2. two|"],
    ["quote", "a\n|b\nc|", "a\n|> b\n> c|"],
    ["code-block", "see |", "see \n```\n|\n```"],
    ["code-block", "a\n  |b\n  c|\nd", "a\n```\n|  b\n  c|\n```\nd"],
  ] as const)("%s: %s", (what, before, after) => {
    expect(show(applyFormat(what, parse(before)))).toBe(after);
  });
});

describe("a line break", () => {
  test.each([
    ["- one|", "- one\n- |"],
    ["  3. one|", "  3. one\n  4. |"],
    ["- [x] done|", "- [x] done\n- [ ] |"],
    ["- one\n- |", "- one\n|"],
    ["plain|", null],
    ["```\n- one|", null],
    ["- |one|", null],
  ])("in %s", (before, after) => {
    const next = continueList(parse(before));
    expect(next && show(next)).toBe(after);
  });
});

test("code is distinguished from prose", () => {
  expect(looksLikeCode("function a() {\n  return 1;\n}")).toBe(true);
  expect(looksLikeCode("def __init__(self):\n    self.a = 1\n    self.b = 2")).toBe(true);
  expect(looksLikeCode("Dear all,\nthe meeting is at ten.\nAda")).toBe(false);
  expect(looksLikeCode("one line;")).toBe(false);
});
