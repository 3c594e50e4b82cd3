import { InlineContext, type MarkdownConfig } from "@lezer/markdown";

const STAR = 42;
const UNDERSCORE = 95;
const TILDE = 126;

const BLANK = /^\s?$/u;
const PUNCTUATION = /^[\p{P}\p{S}]$/u;
/** Letters and punctuation of East Asian scripts, which are written without spaces. */
export const EAST_ASIAN =
  /^(?:[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Hangul}\p{scx=Bopomofo}\p{scx=Yi}]|[\u3000-\u303f\ufe10-\ufe1f\ufe30-\ufe6f\uff00-\uffef])$/u;

const strikethrough = { resolve: "Strikethrough", mark: "StrikethroughMark" };

/**
 * Determines where emphasis starts and ends: by CommonMark's rule (6.2), amended for East Asian text by
 * "CJK-friendly emphasis" (markdown-cjk-friendly), which treats East Asian punctuation as letters, and
 * letters as separators.
 */
export const emphasis: MarkdownConfig = {
  parseInline: [
    {
      name: "Emphasis",
      parse(cx, next, start) {
        if (next !== STAR && next !== UNDERSCORE) return -1;
        let end = start + 1;
        while (cx.char(end) === next) end += 1;
        const { isLeft, isRight, before, after } = flank(cx, start, end);
        if (next === STAR) {
          return cx.addDelimiter(InlineContext.emphasisAsterisk, start, end, isLeft, isRight);
        }
        const opens = isLeft && (!isRight || PUNCTUATION.test(before));
        const closes = isRight && (!isLeft || PUNCTUATION.test(after));
        return cx.addDelimiter(InlineContext.emphasisUnderscore, start, end, opens, closes);
      },
    },
    {
      name: "Strikethrough",
      parse(cx, next, start) {
        const isPair = next === TILDE && cx.char(start + 1) === TILDE;
        if (!isPair || cx.char(start + 2) === TILDE) return -1;
        const { isLeft, isRight } = flank(cx, start, start + 2);
        return cx.addDelimiter(strikethrough, start, start + 2, isLeft, isRight);
      },
    },
  ],
};

/** Whether a run of marks can open or close a style (left- and right-flanking). */
function flank(cx: InlineContext, start: number, end: number) {
  const before = characterBefore(cx, start);
  const after = String.fromCodePoint(...codePointAt(cx, end));
  const [wasBlank, isBlank] = [BLANK.test(before), BLANK.test(after)];
  const [wasEastAsian, isEastAsian] = [EAST_ASIAN.test(before), EAST_ASIAN.test(after)];
  const wasSign = PUNCTUATION.test(before) && !wasEastAsian;
  const isSign = PUNCTUATION.test(after) && !isEastAsian;
  const isLeft = !isBlank && (!isSign || wasBlank || wasSign || wasEastAsian);
  const isRight = !wasBlank && (!wasSign || isBlank || isSign || isEastAsian);
  return { isLeft, isRight, before, after };
}

function codePointAt(cx: InlineContext, at: number): number[] {
  const code = cx.slice(at, Math.min(at + 2, cx.end)).codePointAt(0);
  return code === undefined ? [] : [code];
}

const VARIATION = /[\ufe00-\ufe0f]$|[\u{e0100}-\u{e01ef}]$/u;

/** The character before a position, without its variation selector; "" at the start. */
function characterBefore(cx: InlineContext, at: number): string {
  const text = cx.slice(Math.max(cx.offset, at - 4), at).replace(VARIATION, "");
  return [...text].at(-1) ?? "";
}
