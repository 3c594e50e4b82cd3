export type Selected = { text: string; start: number; end: number };

/** Characters around the selection. */
const SIGNS = { bold: "**", italic: "_", code: "`", strike: "~~" } as const;

/** Characters before each line of the selection, by the line's number. */
const MARKS = {
  bullets: () => "- ",
  numbers: (line: number) => `${line + 1}. `,
  quote: () => "> ",
} as const;

/** The markers that continue a list or a quote on the next line. */
const ANY_MARK = { bullets: /^[-*+] /, numbers: /^\d{1,9}[.)] /, quote: /^> ?/ } as const;

export type Format = keyof typeof SIGNS | keyof typeof MARKS | "link" | "code-block";

/** Applies a format to the selection: adds its characters, or removes them if they are present. */
export function applyFormat(format: Format, selected: Selected): Selected {
  if (format === "link") return makeLink(selected);
  if (format === "code-block") return makeCodeBlock(selected);
  if (format === "bullets" || format === "numbers" || format === "quote") {
    return markLines(format, selected);
  }
  return putAround(SIGNS[format], selected);
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
  const link = `[${label}](${address})`;
  const at = isAddress || !inner ? start + 1 : start + label.length + 3;
  const length = isAddress || !inner ? label.length : address.length;
  return { text: text.slice(0, start) + link + text.slice(end), start: at, end: at + length };
}

function wholeLines({ text, start, end }: Selected): { from: number; to: number } {
  const to = text.indexOf("\n", end);
  return { from: text.lastIndexOf("\n", start - 1) + 1, to: to === -1 ? text.length : to };
}

function markLines(format: keyof typeof MARKS, selected: Selected): Selected {
  const { text, start, end } = selected;
  const { from, to } = wholeLines(selected);
  const lines = text.slice(from, to).split("\n");
  const pattern = ANY_MARK[format];
  const isMarked = lines.every((line) => pattern.test(line));
  const changed = lines
    .map((line, i) => (isMarked ? line.replace(pattern, "") : MARKS[format](i) + line))
    .join("\n");
  const grown = changed.length - (to - from);
  const next = text.slice(0, from) + changed + text.slice(to);
  // A caret stays where it is in the text; a selection is extended to the whole lines.
  if (start === end) {
    const caret = Math.max(from, start + grown);
    return { text: next, start: caret, end: caret };
  }
  return { text: next, start: from, end: from + changed.length };
}

const FENCE = "```";

/** Puts the selected lines between fences, and selects the text between the fences. */
function makeCodeBlock(selected: Selected): Selected {
  if (selected.start === selected.end) return putFences(selected);
  const { from, to } = wholeLines(selected);
  return putFences({ ...selected, start: from, end: to });
}

/** Puts the selection between fences on their own lines, and selects the text between them. */
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
 * The result of a line break in a list: it starts the next item, or ends the list after an empty
 * item.
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

/** Whether a text consists of a single http or https address. */
export function isUrl(text: string): boolean {
  return /^https?:\/\/\S+$/.test(text);
}

export function isInCode(text: string, at: number): boolean {
  const before = text.slice(0, at);
  const line = before.slice(before.lastIndexOf("\n") + 1);
  return line.split("`").length % 2 === 0 || before.split("```").length % 2 === 0;
}
