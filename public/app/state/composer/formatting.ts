/** A text with a selection in it. */
export type Selected = { text: string; start: number; end: number };

/** Signs around the selection. */
const SIGNS = { bold: "**", italic: "_", code: "`", strike: "~~" } as const;

/** Signs before each line of the selection, by the number of the line. */
const MARKS = {
  bullets: () => "- ",
  numbers: (line: number) => `${line + 1}. `,
  quote: () => "> ",
} as const;

/** The marks of a line with which a list or a quote continues. */
const ANY_MARK = { bullets: /^[-*+] /, numbers: /^\d{1,9}[.)] /, quote: /^> ?/ } as const;

export type Format = keyof typeof SIGNS | keyof typeof MARKS | "link" | "code-block";

/** Applies a format to the selection: adds its signs, or removes them if they are there. */
export function applyFormat(what: Format, selected: Selected): Selected {
  if (what === "link") return makeLink(selected);
  if (what === "code-block") return makeCodeBlock(selected);
  if (what === "bullets" || what === "numbers" || what === "quote") {
    return markLines(what, selected);
  }
  return putAround(SIGNS[what], selected);
}

function putAround(sign: string, { text, start, end }: Selected): Selected {
  const inner = text.slice(start, end);
  const isAround =
    text.slice(start - sign.length, start) === sign && text.slice(end, end + sign.length) === sign;
  if (isAround) {
    return {
      text: text.slice(0, start - sign.length) + inner + text.slice(end + sign.length),
      start: start - sign.length,
      end: end - sign.length,
    };
  }
  return {
    text: text.slice(0, start) + sign + inner + sign + text.slice(end),
    start: start + sign.length,
    end: end + sign.length,
  };
}

/** `[the selection](address)`, with the missing part selected. */
function makeLink({ text, start, end }: Selected): Selected {
  const inner = text.slice(start, end);
  const isAddress = isUrl(inner);
  const [label, address] = isAddress ? ["text", inner] : [inner || "text", "https://"];
  const written = `[${label}](${address})`;
  const at = isAddress || !inner ? start + 1 : start + label.length + 3;
  const length = isAddress || !inner ? label.length : address.length;
  return { text: text.slice(0, start) + written + text.slice(end), start: at, end: at + length };
}

/** The selection extended to whole lines. */
function wholeLines({ text, start, end }: Selected): { from: number; to: number } {
  const to = text.indexOf("\n", end);
  return { from: text.lastIndexOf("\n", start - 1) + 1, to: to === -1 ? text.length : to };
}

function markLines(what: keyof typeof MARKS, selected: Selected): Selected {
  const { text, start, end } = selected;
  const { from, to } = wholeLines(selected);
  const lines = text.slice(from, to).split("\n");
  const pattern = ANY_MARK[what];
  const isMarked = lines.every((line) => pattern.test(line));
  const changed = lines
    .map((line, i) => (isMarked ? line.replace(pattern, "") : MARKS[what](i) + line))
    .join("\n");
  const grown = changed.length - (to - from);
  const next = text.slice(0, from) + changed + text.slice(to);
  // A caret stays at its letter; a selection becomes the whole lines.
  if (start === end) {
    const caret = Math.max(from, start + grown);
    return { text: next, start: caret, end: caret };
  }
  return { text: next, start: from, end: from + changed.length };
}

const FENCE = "```";

/** Puts the lines of the selection between fences, and selects the text between them. */
function makeCodeBlock(selected: Selected): Selected {
  if (selected.start === selected.end) return putFences(selected);
  const { from, to } = wholeLines(selected);
  return putFences({ ...selected, start: from, end: to });
}

/** Puts the selection between fences on lines of their own, and selects the text between them. */
export function putFences({ text, start, end }: Selected, language = ""): Selected {
  const before = `${start > 0 && text[start - 1] !== "\n" ? "\n" : ""}${FENCE}${language}\n`;
  const after = `\n${FENCE}${end < text.length && text[end] !== "\n" ? "\n" : ""}`;
  const at = start + before.length;
  return {
    text: text.slice(0, start) + before + text.slice(start, end) + after + text.slice(end),
    start: at,
    end: at + end - start,
  };
}

const ITEM = /^(\s*(?:> ?)*)([-*+]|(\d{1,9})([.)]))( \[[ xX]\])? /;

/**
 * The result of a line break in a list: the next item begins, or, after an item without text, the
 * list ends.
 * @returns null outside of lists, or if text is selected
 */
export function continueList({ text, start, end }: Selected): Selected | null {
  if (start !== end || isInCode(text, start)) return null;
  const from = text.lastIndexOf("\n", start - 1) + 1;
  const [whole, indent = "", sign = "", number, dot = "", box] =
    ITEM.exec(text.slice(from, start)) ?? [];
  if (whole === undefined) return null;
  if (whole.length === start - from) {
    return { text: text.slice(0, from) + text.slice(start), start: from, end: from };
  }
  const mark = number === undefined ? sign : `${Number(number) + 1}${dot}`;
  const next = `\n${indent}${mark}${box ? " [ ]" : ""} `;
  const caret = start + next.length;
  return { text: text.slice(0, start) + next + text.slice(end), start: caret, end: caret };
}

/** Whether a text is one http or https address and nothing else. */
export function isUrl(text: string): boolean {
  return /^https?:\/\/\S+$/.test(text);
}

/**
 * Whether lines look like a part of a program or a log: most are indented, or end as lines of code
 * do.
 */
export function looksLikeCode(text: string): boolean {
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  if (lines.length < 2) return false;
  const count = lines.filter(
    (line) => /^(?:\t| {2,})\S/.test(line) || /[;{}]$|^\s*(?:\/\/|#include|<\/?\w+)/.test(line),
  ).length;
  return count >= lines.length / 2;
}

/** Whether a position in a text is inside of a code block or of inline code. */
export function isInCode(text: string, at: number): boolean {
  const before = text.slice(0, at);
  const line = before.slice(before.lastIndexOf("\n") + 1);
  return line.split("`").length % 2 === 0 || before.split("```").length % 2 === 0;
}
