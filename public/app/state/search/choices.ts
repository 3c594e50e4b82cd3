import type { IconNode } from "lucide";
import uFuzzy from "@leeoniya/ufuzzy";
import type { MyRoom, User } from "../../../../src/wire/models.ts";
import type { DirectRoom } from "../model/conversation.ts";
import { readNews, weightOf } from "../model/unread.ts";

/** The target of an entry in the switcher; an open room is one that the reader may join. */
export type Choice = (
  | { kind: "room"; key: string; label: string; room: MyRoom }
  | { kind: "open-room"; key: string; label: string; room: MyRoom }
  | { kind: "direct"; key: string; label: string; room: DirectRoom }
  | { kind: "person"; key: string; label: string; hint: string; user: User }
  | { kind: "search"; key: string; label: string; run(): void }
  | {
      kind: "action";
      icon: IconNode;
      key: string;
      label: string;
      synonym?: string | undefined;
      /** In the format of `aria-keyshortcuts`, with Control for Cmd, too. */
      shortcut?: string | undefined;
      run(): void;
    }
) & {
  /** Which letters of the label match, in the format of `uFuzzy.highlight`. */
  matches?: number[] | undefined;
};

/** The fuzzy search allows missing letters, and one wrong letter. */
const fuzzy = new uFuzzy({
  intraMode: 1,
  intraIns: 3,
  unicode: true,
  interSplit: "[^\\p{L}\\d']+",
  intraSplit: "\\p{Ll}\\p{Lu}",
  intraBound: "\\p{L}\\d|\\d\\p{L}|\\p{Ll}\\p{Lu}",
  intraChars: "[\\p{L}\\d']",
  intraContr: "'\\p{L}{1,2}\\b",
});

/**
 * Longer patterns can take seconds, because up to three characters may follow each of their
 * characters.
 */
const MAX_COMPARED = 24;

/** Many actions have the name of the open room in their label, and would displace other rooms. */
const MAX_LOOSE_ACTIONS = 3;

/**
 * The matching entries, the best first; equal ones keep their order. A few actions that only contain
 * the query within their label follow, and archived rooms come last. Without a query, all entries.
 */
export function rankChoices(choices: Choice[], query: string): Choice[] {
  const needle = query.trim().replace(/^[#@]/, "").slice(0, MAX_COMPARED);
  if (needle === "") return choices;
  const haystack = choices.map(textOf);
  const [matches, info, order] = fuzzy.search(haystack, needle, 1);
  if (!matches) return [];
  // Without `info` there are too many matches to compare them.
  const ranked =
    info && order
      ? order.map((i) => [info.idx[i] ?? 0, info.start[i] ?? 0, info.ranges[i]] as const)
      : matches.map((index) => [index, 0, undefined] as const);
  let looseActions = 0;
  return ranked
    .flatMap(([index, start, ranges]) => {
      const choice = choices[index];
      if (!choice) return [];
      const matches = ranges && toLabelRanges(choice, ranges);
      return [{ choice: { ...choice, matches }, rank: rankOf(choice, start) }];
    })
    .toSorted((a, b) => a.rank - b.rank)
    .filter(({ rank }) => rank !== LOOSE || ++looseActions <= MAX_LOOSE_ACTIONS)
    .map(({ choice }) => choice);
}

/** The rank of an action that contains the query within its label. */
const LOOSE = 1;

/** @param start the position of the match in the text of the choice */
function rankOf(choice: Choice, start: number): number {
  if (choice.kind === "action") {
    const starts = choice.synonym ? [0, choice.label.length + 1] : [0];
    return starts.includes(start) ? 0 : LOOSE;
  }
  const isRoom = choice.kind === "room" || choice.kind === "open-room";
  return isRoom && choice.room.is_archived ? 2 : 0;
}

function textOf(choice: Choice): string {
  if (choice.kind === "person") return `${choice.label} ${choice.hint}`;
  if (choice.kind === "action" && choice.synonym) return `${choice.label} ${choice.synonym}`;
  // The name also matches as one word, because nobody types the dash of "tea-room".
  const joined = joinWords(choice.label);
  return joined === choice.label ? joined : `${choice.label} ${joined}`;
}

const joinWords = (label: string) => label.replace(/[-_]/g, "");

/**
 * The letters of a label that match.
 * @param ranges the start and end of each match, in the text of the choice
 */
function toLabelRanges(choice: Choice, ranges: number[]): number[] {
  const { label } = choice;
  const offset = label.length + 1;
  if ((ranges[0] ?? 0) < offset || textOf(choice) !== `${label} ${joinWords(label)}`) return ranges;
  // The match is in the name as one word.
  const indexes = [...label.matchAll(/[^-_]/g)].map(({ index }) => index);
  return ranges.map((at, i) =>
    i % 2 === 0 ? (indexes[at - offset] ?? 0) : (indexes[at - offset - 1] ?? 0) + 1,
  );
}

/** Unread rooms first, then by when they were last opened, then by name. */
export function roomChoices(rooms: MyRoom[], recent: string[], here: string | null): Choice[] {
  const places = new Map(recent.map((id, i) => [id, i]));
  const place = (room: MyRoom) => places.get(room.id) ?? recent.length;
  const weight = ({ membership }: MyRoom) => weightOf(readNews(membership));
  return rooms
    .filter(({ id }) => id !== here)
    .toSorted(
      (a, b) => weight(a) - weight(b) || place(a) - place(b) || a.name.localeCompare(b.name),
    )
    .map((room) => ({ kind: "room", key: room.id, label: room.name, room }));
}
