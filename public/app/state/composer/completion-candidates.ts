import type { IconNode } from "lucide";
import type { Member, MyRoom, User } from "../../../../src/wire/models.ts";
import { isInCode } from "./formatting.ts";

/** The name that is being typed: its prefix character, its start, and its range in the text. */
export type CompletionQuery = {
  kind: "mention" | "room" | "emoji";
  query: string;
  from: number;
  to: number;
};
/**
 * A candidate: `insert` is inserted with or without the prefix character, and `label` is shown
 * beside it.
 */
export type Candidate = {
  key: string;
  insert: string;
  label: string;
  hint: string;
  user?: User;
  icon?: IconNode;
};

const KINDS = { "@": "mention", "#": "room", ":": "emoji" } as const;
const TYPED = /(?:^|[\s([{"'])([@#:])([\p{L}\p{N}._+-]{0,32})$/u;
/** With only one letter after a colon, the text is probably an emoticon. */
const MIN_EMOJI_QUERY = 2;
const MAX_CANDIDATES = 8;

/** @returns the incomplete name before the caret; null in code, and where no name begins */
export function completionQueryAt(text: string, caret: number): CompletionQuery | null {
  const before = text.slice(0, caret);
  if (isInCode(text, caret)) return null;
  const [, sign, query = ""] = TYPED.exec(before) ?? [];
  if (sign !== "@" && sign !== "#" && sign !== ":") return null;
  const kind = KINDS[sign];
  if (kind === "emoji" && query.length < MIN_EMOJI_QUERY) return null;
  return { kind, query: query.toLowerCase(), from: caret - query.length - 1, to: caret };
}

/** The text with the candidate inserted, and the new position of the caret. */
export function insertCompletion(
  text: string,
  { from, to }: CompletionQuery,
  { insert }: Candidate,
) {
  const rest = text.slice(to);
  const gap = rest.startsWith(" ") ? "" : " ";
  return { text: text.slice(0, from) + insert + gap + rest, caret: from + insert.length + 1 };
}

/** Characters that follow a name without a space. A colon may start an emoji. */
const CLOSING = /^[,.!?;)\]}]$/;

/**
 * Removes the space that a completion added when a punctuation mark is typed after it.
 * @param caret its current position, in UTF-16 units
 * @param key the typed key
 * @param completed the position of the caret after the completion
 * @returns null if nothing changes
 */
export function closeGap(text: string, caret: number, key: string, completed: number | null) {
  if (caret !== completed || !CLOSING.test(key) || text[caret - 1] !== " ") return null;
  return { text: text.slice(0, caret - 1) + key + text.slice(caret), start: caret, end: caret };
}

/** Matches members by username and by the words of their display name. */
export function memberCandidates(members: Member[], query: string): Candidate[] {
  const rank = ({ user }: Member) => {
    const words = (user.display_name ?? "").toLowerCase().split(/\s+/);
    if (user.username.startsWith(query)) return 0;
    return words.some((word) => word.startsWith(query)) ? 1 : 2;
  };
  return members
    .filter((member) => member.user.is_active && rank(member) < 2)
    .sort((a, b) => rank(a) - rank(b) || a.user.username.localeCompare(b.user.username))
    .slice(0, MAX_CANDIDATES)
    .map(({ user }) => ({
      key: user.id,
      insert: `@${user.username}`,
      label: user.display_name ?? user.username,
      hint: `@${user.username}`,
      user,
    }));
}

/** The user's rooms, because other names would not become links. */
export function roomCandidates(rooms: MyRoom[], query: string): Candidate[] {
  const at = (room: MyRoom) => room.name.indexOf(query);
  return rooms
    .filter((room) => at(room) !== -1)
    .sort((a, b) => at(a) - at(b) || a.name.localeCompare(b.name))
    .slice(0, MAX_CANDIDATES)
    .map((room) => ({
      key: room.id,
      insert: `#${room.name}`,
      label: `#${room.name}`,
      hint: room.description ?? "",
    }));
}
