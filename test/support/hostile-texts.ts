import { MAX_CONTENT_LENGTH } from "../../src/wire/limits.ts";
import { seeded } from "./soak.ts";

/** Texts that are as hard to read as their length allows, by a name. */
export type HostileText = { name: string; make(length: number): string };

/** One of each class of characters, and of what begins or ends something. */
const PIECES = [
  ..."a1A_*~`[]()<>{}|#@:>-+=.!\\\"'&/,;%^$\0\t\n ".split(""),
  ...Array.from("上がﾞ한ᄀกا\u05d0ßİﷺ𝒳𝅗👍🇩“”「」。、…—　"),
  ...["\u0301", "\u0345\u0f73", "\u0300\u0315", "\u0344", "\u{1d15e}", "\u{1f3fb}", "\u{1f1e9}"],
  ...["\u200b", "\u200c", "\u200d", "\u00ad", "\ufe0f", "\u202e", "\u2028", "\u{e0067}", "\ud800"],
  ...[
    "a\u0301 ",
    "a\u0301 b\u0301 ",
    "か\u3099",
    "上\u0301",
    "م\u064f",
    "👩‍👩‍👧",
    "1\ufe0f\u20e3",
    "aбα",
  ],
  ...[
    "https://",
    "http://?",
    "https://a.b/",
    "https://a.b/(",
    "https://a.b/x|{",
    "mailto:a",
    "www.a.",
  ],
  ...[
    "[a](",
    "[](",
    "![",
    "![a](b",
    "[a](<b",
    "[a](https://b.c)",
    "[![a](",
    "](",
    "**a ",
    "*a **b ",
    "_a_ ",
  ],
  ...[
    "**「a」**",
    "~~a ",
    "~~「",
    "a**b",
    "_*",
    "*_a_*",
    "`a",
    "`a``",
    "```\n",
    "> ",
    "> - ",
    "- ",
    "1. ",
  ],
  ...[
    "# ",
    "#\n",
    "- [ ] ",
    "|a",
    "|a\\|",
    "a|b\n-|-\n",
    "|-",
    "---\n",
    "\\*",
    "&amp;",
    "&lt;a",
    "<a ",
    "<!--",
  ],
  ...[
    "@a ",
    "@a.",
    "#a ",
    ":a:",
    ":smile:",
    "<https://a|b>",
    "getUserName_v2 ",
    "aB1_",
    "<meta ",
    "<title",
  ],
];

const fill = (piece: string, length: number) => {
  const characters = [...piece.repeat(Math.ceil(length / [...piece].length))];
  return characters.slice(0, length).join("");
};

/** Runs of each piece, alone and between words; alternations; nestings. @param more alternations */
export function hostileTexts(more: number, seed: number): HostileText[] {
  const draw = seeded(seed);
  const pick = () => PIECES[Math.floor(draw() * PIECES.length)] as string;
  const runs = PIECES.flatMap((piece): HostileText[] => [
    { name: JSON.stringify(piece), make: (length) => fill(piece, length) },
    {
      name: `beta ${JSON.stringify(piece)} y`,
      make: (length) => `beta x${fill(piece, length - 8)}y`,
    },
  ]);
  const alternations = Array.from({ length: more }, (): HostileText => {
    const piece = Array.from({ length: 2 + Math.floor(draw() * 3) }, pick).join("");
    return { name: JSON.stringify(piece), make: (length) => fill(piece, length) };
  });
  const halves = Array.from({ length: Math.ceil(more / 2) }, (): HostileText => {
    const [first, second] = [pick(), pick()];
    return {
      name: `${JSON.stringify(first)} then ${JSON.stringify(second)}`,
      make: (length) => fill(first, length / 2) + fill(second, length / 2),
    };
  });
  return [...runs, ...alternations, ...halves];
}

/** The longest text that a message can have, in code points. */
export const LONGEST = MAX_CONTENT_LENGTH;
