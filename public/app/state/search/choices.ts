import uFuzzy from "@leeoniya/ufuzzy";
import type { MyRoom, User } from "../../../../src/wire/models.ts";
import type { DirectRoom } from "../model/conversation.ts";
import { readNews, weightOf } from "../model/unread.ts";

/** The target of an entry in the switcher. */
export type Choice =
  | { kind: "room"; key: string; label: string; room: MyRoom }
  | { kind: "direct"; key: string; label: string; room: DirectRoom }
  | { kind: "person"; key: string; label: string; hint: string; user: User }
  | { kind: "search"; key: string; label: string; run(): void }
  | { kind: "action"; key: string; label: string; run(): void };

/** Letters may be missing between the ones that are typed, and one may be wrong. */
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

/** A pattern of more characters can take seconds: each may be followed by up to three others. */
const MAX_COMPARED = 24;

/**
 * The entries that match, the best first; of equal ones the one that comes first. Without a query
 * all, in their order.
 */
export function rankChoices(choices: Choice[], query: string): Choice[] {
  const needle = query.trim().replace(/^[#@]/, "").slice(0, MAX_COMPARED);
  if (needle === "") return choices;
  const haystack = choices.map(textOf);
  const [matches, info, order] = fuzzy.search(haystack, needle, 1);
  if (!matches) return [];
  const indexes = info && order ? order.map((place) => info.idx[place] as number) : matches;
  return indexes.flatMap((index) => choices[index] ?? []);
}

function textOf(choice: Choice): string {
  if (choice.kind === "person") return `${choice.label} ${choice.hint}`;
  // Also as one word: nobody types the dash of tea-room.
  const joined = choice.label.replace(/[-_]/g, "");
  return joined === choice.label ? joined : `${choice.label} ${joined}`;
}

/** Rooms with something unread first, then by when they were last opened, then by name. */
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
