/**
 * The cost of parsing hostile texts of 8,000 characters, and of cutting them for the search index: the best run of each after warm-up, the slowest
 * text first. Fails if one takes 5 ms or more.
 */
import { MAX_CONTENT_LENGTH as LENGTH } from "../src/wire/limits.ts";
import { extractReferences } from "../src/wire/markdown/extract.ts";
import { parseMarkdown } from "../src/wire/markdown/parse.ts";
import { tokenizeTexts } from "../src/wire/search-tokens.ts";

const MOST_MS = 5;
const RUNS = 40;
const fill = (piece: string) => piece.repeat(Math.ceil(LENGTH / piece.length)).slice(0, LENGTH);
const grow = (line: (i: number) => string, by = "\n") => {
  let text = "";
  for (let i = 0; text.length < LENGTH; i++) text += line(i) + by;
  return text.slice(0, LENGTH);
};

const repeated = [
  ..."[]()<>*_~`#@:|\\&!-=+.\"'\n\t ",
  ...[
    "![",
    "[]",
    "[a](",
    "[a](<b",
    "[x][",
    '[a](b "',
    "[^",
    "[a]: b\n",
    "[a](http://b)",
    "[a](b(c",
  ],
  ...[
    "**a ",
    "*a_ ",
    "*a **b ",
    "a**b",
    "__a ",
    "_a",
    "~~a ",
    "a*_b",
    "_*",
    "*_a_*",
    "***a ",
    "~~*",
  ],
  ...["*a ", "a* ", "*a b* ", "*[", "**[a](", "*`[", "`a", "`a``", "```\n", "```a ", "` "],
  ...[
    "> ",
    ">\n",
    "> - ",
    ">- ",
    "- ",
    "-\n",
    "- a\n",
    "- a\n\n",
    "* - + ",
    "1. ",
    "1)\n",
    "1. a\n",
    "- [ ] a\n",
    "- [x] ",
    "---\n",
    "> # ",
    "- | ",
  ],
  ...[
    "<a ",
    "<!--",
    '<a href="',
    "<?",
    "<![CDATA[",
    "</",
    "<http:",
    "<http://",
    "<http://a>",
    "<b>",
  ],
  ...[
    "|a",
    "a|b\n-|-\n",
    "| - ",
    "a|b\n",
    "|-",
    "||\n",
    "|`a",
    "|\\|",
    "# a\n",
    "###### ",
    "# #\n",
    "# ",
    "#\n",
    "a\n=\n",
    "- -",
    "&amp;",
    "\\*",
  ],
  ...[
    "@a",
    "@a ",
    "#a",
    "#a ",
    ":a",
    ":a:",
    "@-",
    "@a.",
    "@a_",
    "#a_",
    "_@a",
    "http://",
    "http://a ",
  ],
  ...[
    "http://a",
    "h",
    "www.a.b ",
    "a@b.c ",
    "mailto:a",
    "a",
    "a ",
    "a.",
    "a  \n",
    "a\n",
    "😀",
    "é",
  ],
  ...["@bob #general :wave: *a* `b` [c](http://d.e) http://f.g "],
];
const texts = new Map(repeated.map((piece) => [JSON.stringify(piece), fill(piece)]));
const half = LENGTH / 2;
texts.set("[ then ]", "[".repeat(half) + "]".repeat(half));
texts.set("[ then ](a)", "[".repeat(1_600) + "](a://b)".repeat(800));
texts.set("[ then ](http://a)", "[".repeat(600) + "](http://a)".repeat(670));
texts.set("*a then b*", "*a ".repeat(1_300) + "b* ".repeat(1_300));
texts.set("**a *b then c* d**", "**a *b ".repeat(600) + "c* d** ".repeat(500));
texts.set(
  "backticks that grow",
  grow((i) => "`".repeat(i + 1), " "),
);
texts.set(
  "quotes that grow",
  grow((i) => `${">".repeat(i + 1)}a`),
);
texts.set(
  "lists that grow",
  grow((i) => `${"  ".repeat(i)}- a`),
);
texts.set(
  "numbered lists that grow",
  grow((i) => `${"   ".repeat(i)}1. a`),
);
texts.set(
  "lists in quotes that grow",
  grow((i) => `${"> - ".repeat(i + 1)}a`),
);
texts.set("a table", `${"|a".repeat(1_300)}|\n${"|-".repeat(1_300)}|\n${"|".repeat(2_700)}`);
texts.set("a table of rows", `|a|\n|-|\n${"|*a*|\n".repeat(1_300)}`);
texts.set("a table of empty rows", `a|b\n-|-\n${"|\n".repeat(3_990)}`);
texts.set("tables in a quote", fill("> |a|b|\n> |-|-|\n> |c|d|\n>\n"));
texts.set("a row of delimiters", `${"|a".repeat(1_000)}\n${" :-: |".repeat(1_000)}`);
texts.set("blanks after a delimiter", `a|b\n-|-${" ".repeat(7_900)}x`);
texts.set("a heading of signs", `# ${"#".repeat(7_900)} a`);
texts.set("URL of (", `http://a/${"(".repeat(7_900)}`);
texts.set("URL of )", `http://a/${")".repeat(7_900)}`);
texts.set("URL of .", `http://a/${".".repeat(7_900)}`);
texts.set("URL of ( then )", `http://a/${"(".repeat(3_900)}${")".repeat(3_900)}`);
texts.set("target of (b", `[a](${"(b".repeat(3_900)}`);
texts.set("target of (b)", `[a](http://${"(b)".repeat(2_600)}`);
texts.set("target of blanks", `[a](http://b${" ".repeat(7_900)}`);
texts.set("code that begins with a blank", `\` ${"a".repeat(7_900)}\``);
texts.set("code over lines in a quote", `>\`${"a\n>".repeat(2_650)}\``);
texts.set("styles over lines in a quote", `>**_~~${"a\n>".repeat(2_650)}a~~_**`);
texts.set("code over lines in deep quotes", `>>>>>>\`${"a\n>>>>>>".repeat(990)}\``);
texts.set(
  "code over lines in deeper quotes",
  `${">".repeat(11)}\`${`a\n${">".repeat(11)}`.repeat(600)}\``,
);
texts.set("styles over lines in deep quotes", `>>>>>>**${"a\n>>>>>>".repeat(990)}a**`);
texts.set("brackets over lines in a quote", fill("\n>![").slice(1));
texts.set("stars over lines in a quote", `>${"*a\n>b*".repeat(1_300)}`);
texts.set("code over lines in a list", `- \`${"a\n  ".repeat(1_990)}\``);
texts.set("a name that is too long", `@${"a".repeat(7_900)}`);
texts.set("a name with a tail", `@a${".".repeat(7_900)}`);

function measure(text: string, work: (text: string) => unknown = parseMarkdown): number {
  let best = Number.POSITIVE_INFINITY;
  for (let run = 0; run < RUNS; run++) {
    const started = performance.now();
    work(text);
    best = Math.min(best, performance.now() - started);
  }
  return best;
}

console.log(`${texts.size} texts`);
for (const text of texts.values()) measure(text);
const rows = [...texts].map(([name, text]) => ({ name, ms: measure(text) }));
rows.sort((a, b) => b.ms - a.ms);
for (const { name, ms } of rows.slice(0, 12)) console.log(`${ms.toFixed(2)} ms  ${name}`);

// What the search index cuts the same texts into, and texts that are hard to cut.
const PIECES = [
  "上",
  "が",
  "ｶﾞ",
  "İ",
  "e\u0301",
  "é1_",
  "aB",
  "👩‍👩‍👧",
  "1\ufe0f\u20e3",
  "ﷺ",
  "\u0301",
  "aбα",
];
const cut = [...texts, ...PIECES.map((piece) => [piece, fill(piece)] as const)].map(
  ([name, text]) => ({ name, ms: measure(text, (one) => tokenizeTexts([one])) }),
);
cut.sort((a, b) => b.ms - a.ms);
for (const { name, ms } of cut.slice(0, 6)) console.log(`${ms.toFixed(2)} ms  tokens of ${name}`);

const usual = "Thanks @bob, I put the *numbers* into https://example.org/report and #general.";
const plain = "The slow part was never the query, it was the connection.";
for (const text of [usual, plain]) {
  const started = performance.now();
  for (let i = 0; i < 10_000; i++) extractReferences(text);
  console.log(`${((performance.now() - started) / 10).toFixed(2)} µs  ${text}`);
}
const slowest = Math.max(rows[0]?.ms ?? 0, cut[0]?.ms ?? 0);
process.exit(slowest < MOST_MS ? 0 : 1);
