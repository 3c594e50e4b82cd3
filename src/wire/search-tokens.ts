import { limitMarks, MAX_MARKS } from "./unicode.ts";

/**
 * Splits texts and queries into search tokens. PostgreSQL's parser is not used, because it depends on
 * the locale. The client uses the same code to highlight matches.
 */

/** Maximum number of different tokens indexed per message. */
const MAX_TOKENS = 1_000;
/** Maximum length of a token in code points; longer words are truncated in both index and query. */
const MAX_TOKEN_LENGTH = 64;

/** Scripts without spaces between words: each of their characters is an atom. */
const SPACELESS = String.raw`[[\p{scx=Hani}\p{scx=Hira}\p{scx=Kana}\p{scx=Hang}\p{scx=Bopo}\p{scx=Thai}\p{scx=Laoo}\p{scx=Khmr}\p{scx=Mymr}]&&[\p{L}\p{M}\p{N}]]`;
/** Characters that occur in words of any script: digits, marks, soft hyphens, shared letters. */
const JOINER = String.raw`[[[\p{N}\p{M}_\u00ad][\p{L}&&\p{sc=Zyyy}]]--${SPACELESS}]`;
const OTHER_LETTER = String.raw`[\p{L}--[\p{sc=Latn}\p{sc=Grek}\p{sc=Cyrl}\p{sc=Zyyy}${SPACELESS}]]`;
const inScript = (letter: string) => `${letter}[${letter}${JOINER}]*`;
const SCRIPTS = [
  ...["Latn", "Grek", "Cyrl"].map((script) => String.raw`[\p{L}&&\p{sc=${script}}]`),
  OTHER_LETTER,
];
/** A word in one script; an adjacent character of another script ends it. */
const WORD = String.raw`(?![\p{M}\u00ad])(?:${JOINER}*(?:${SCRIPTS.map(inScript).join("|")})|${JOINER}+)`;
const EMOJI = String.raw`(?=[^\0-\x7f])(?:\p{RGI_Emoji}|\p{Extended_Pictographic})[\ufe0e\ufe0f]?`;
const ATOM = new RegExp(`(${SPACELESS})|(${WORD})|(${EMOJI})|\\S`, "gv");
const ASCII_ATOM = /(\w+)|\S/g;
const IS_ASCII = /^[\0-\x7f]*$/;

/** The smallest unit of a text that is compared. White space is not part of any atom. */
export type Atom = {
  /** `char` is a character of a script without spaces; `sign` is any other visible character. */
  kind: "word" | "char" | "emoji" | "sign";
  /** Folded, so that texts that readers consider equal are equal. */
  text: string;
  /** The original with normalized compatibility forms, for splitting a name such as `getUserName`. */
  written: string;
  /** UTF-16 offsets in the text. */
  start: number;
  end: number;
  /** Whether it follows white space. */
  isSpaced: boolean;
};

export function splitText(text: string): Atom[] {
  const atoms: Atom[] = [];
  const isAscii = IS_ASCII.test(text);
  const { normal, offsets } = isAscii ? { normal: text, offsets: null } : normalize(text);
  let last = 0;
  for (const match of normal.matchAll(isAscii ? ASCII_ATOM : ATOM)) {
    const source = match[0];
    const kind = isAscii
      ? match[1] === undefined
        ? "sign"
        : "word"
      : match[1] !== undefined
        ? "char"
        : match[2] !== undefined
          ? "word"
          : match[3] !== undefined
            ? "emoji"
            : "sign";
    const end = match.index + source.length;
    const isSpaced = match.index > last;
    last = end;
    const atom = foldAtom(kind, source);
    // Only combining marks or variation selectors.
    if (atom === "") continue;
    atoms.push({
      kind,
      text: atom,
      written: source,
      start: offsets ? (offsets.starts[match.index] ?? 0) : match.index,
      end: offsets ? (offsets.ends[end - 1] ?? text.length) : end,
      isSpaced,
    });
  }
  return atoms;
}

/** A unit for normalization: an emoji, a Korean syllable, or a character with its combining marks. */
const CLUSTER = new RegExp(
  String.raw`(\p{RGI_Emoji}|\p{Extended_Pictographic}\ufe0f)|[\u1100-\u11ff\ua960-\ua97f\ud7b0-\ud7ff]+|[\s\S][\p{M}\uff9e\uff9f]{0,${MAX_MARKS}}`,
  "gv",
);

/** Maximum growth of a cluster by normalization, so that a text does not become much longer. */
const MAX_GROWTH = 8;

/** NFKC-normalizes a text and maps each code unit of the result to its offset in the source. */
function normalize(text: string) {
  if (limitMarks(text) === text && text.normalize("NFKC") === text) {
    return { normal: text, offsets: null };
  }
  const starts: number[] = [];
  const ends: number[] = [];
  let normal = "";
  for (const { 0: cluster, 1: emoji, index } of text.matchAll(CLUSTER)) {
    const normalized = cluster.normalize("NFKC");
    // Some emoji, such as ㊗️, would become letters, and one character, ﷺ, a whole sentence.
    const piece =
      emoji !== undefined || normalized.length > MAX_GROWTH * cluster.length ? cluster : normalized;
    const isSame = piece === cluster;
    for (let i = 0; i < piece.length; i += 1) {
      starts.push(isSame ? index + i : index);
      ends.push(isSame ? index + i + 1 : index + cluster.length);
    }
    normal += piece;
  }
  return { normal, offsets: { starts, ends } };
}

/** Arabic and Hebrew vowel marks, Arabic tatweel, variation selectors, and skin tones. */
const IGNORED_CHARACTERS =
  /[\u0591-\u05bd]|[\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7]|[\u064b-\u065f]|[\u0640\u00ad]|[\ufe0e\ufe0f]|[\u{1f3fb}-\u{1f3ff}]/gu;
const LETTERS: Record<string, string> = {
  ß: "ss",
  æ: "ae",
  œ: "oe",
  ø: "o",
  đ: "d",
  ł: "l",
  ı: "i",
  ς: "σ",
  أ: "ا",
  إ: "ا",
  آ: "ا",
  ٱ: "ا",
};
const FOLDED_LETTERS = new RegExp(`[${Object.keys(LETTERS).join("")}]`, "g");

/** Folds case, diacritics of Latin, Greek and Cyrillic, vowel marks of Arabic and Hebrew, and skin tones. */
export function foldText(text: string): string {
  const lower = text.toLowerCase();
  if (IS_ASCII.test(lower)) return lower;
  return limitMarks(lower)
    .normalize("NFD")
    .replace(/[\u0300-\u036f]/g, "")
    .normalize("NFC")
    .replace(IGNORED_CHARACTERS, "")
    .replace(FOLDED_LETTERS, (letter) => LETTERS[letter] ?? letter);
}

function foldAtom(kind: Atom["kind"], source: string): string {
  // Scripts without spaces have no case, and their marks are significant.
  if (kind === "char") return source;
  return kind === "sign"
    ? (SIGNS.get(source) ?? source.replace(IGNORED_CHARACTERS, ""))
    : foldText(source);
}

/** Typographic quotes and dashes, which keyboards insert automatically, by their ASCII forms. */
const SIGNS = new Map([
  ...[..."‘’‛´"].map((sign) => [sign, "'"] as const),
  ...[..."“”„‟"].map((sign) => [sign, '"'] as const),
  ...[..."‐‑‒–—―−"].map((sign) => [sign, "-"] as const),
]);

/** Detects names with several parts, such as `getUserName_v2`; ordinary words have only one. */
const HAS_PARTS = /_|\p{Ll}\p{Lu}|\p{Lu}{2}\p{Ll}|[\p{L}\p{M}]\p{N}|\p{N}\p{L}/u;
const PART_BORDER =
  /(?<=\p{Ll})(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})|(?<=[\p{L}\p{M}])(?=\p{N})|(?<=\p{N})(?=\p{L})/u;

/** The word and its parts, split at case changes, `_`, and between letters and digits. */
export function tokensOfWord({ text, written }: Pick<Atom, "text" | "written">): string[] {
  const wholeWord = cutToken(text);
  if (written.length < 3 || written.length > MAX_TOKEN_LENGTH || !HAS_PARTS.test(written)) {
    return [wholeWord];
  }
  const pieces = written.split("_").filter((piece) => piece !== "");
  const parts = pieces.flatMap((piece) => [piece, ...piece.split(PART_BORDER)]);
  return [wholeWord, ...parts.map(foldText).filter((part) => part !== "")];
}

export function cutToken(token: string): string {
  if (token.length <= MAX_TOKEN_LENGTH) return token;
  return [...token].slice(0, MAX_TOKEN_LENGTH).join("");
}

/** The character with the next one, or alone at the end. */
function tokenOfChar(atoms: Atom[], index: number): string {
  const next = atoms[index + 1];
  const hasNeighbour = next?.kind === "char" && !next.isSpaced;
  return (atoms[index]?.text ?? "") + (hasNeighbour ? next.text : "");
}

/** The tokens by which a message is found, up to a limit. */
export function tokenizeTexts(texts: string[]): Set<string> {
  const tokens = new Set<string>();
  for (const text of texts) {
    const atoms = splitText(text);
    for (const [i, atom] of atoms.entries()) {
      if (atom.kind === "sign") continue;
      const wordTokens =
        atom.kind === "word"
          ? tokensOfWord(atom)
          : [atom.kind === "char" ? tokenOfChar(atoms, i) : atom.text];
      for (const token of wordTokens) {
        if (tokens.size === MAX_TOKENS) return tokens;
        tokens.add(token);
      }
    }
  }
  return tokens;
}
