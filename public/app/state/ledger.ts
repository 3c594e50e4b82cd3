import type { MyRoom, ReadMark, Role, Room } from "../../../src/wire/models.ts";
import { MAX_DIRECT_UNREAD, MAX_UNREAD } from "../../../src/wire/limits.ts";

/** An event of a room's log, reduced to what a list of rooms shows. */
export type Entry = { seq: number } & (
  | { kind: "message"; id: string; at: string; isNews: boolean; isMention: boolean }
  /** `isMention` is null where it is not known. */
  | { kind: "edit"; id: string; isMention: boolean | null }
  | { kind: "delete"; id: string }
  | { kind: "members"; by: 1 | -1 }
  | ({ kind: "pins" } & Pick<MyRoom, "pin_count" | "newest_pin">)
  | { kind: "room"; room: Room }
);

/**
 * The newest answer about one of my rooms, and the events that arrived since, by number. The room that is
 * shown is the answer with the events applied to it. So neither order nor repetition matters.
 */
export type Ledger = {
  /** The newest answer about the room; it includes the log up to `room.seq`. */
  room: MyRoom;
  /** The newest answer about what is read; it includes the log up to `mark.room_seq`. */
  mark: ReadMark;
  /** By number. */
  entries: Entry[];
  /** False if the events do not say what is unread: the room must be loaded. */
  isSure: boolean;
};

/** Above this number, the older half of the entries is applied to the answer and removed. */
const MAX_ENTRIES = 200;

/** Adds an answer about the whole room. An older answer changes nothing. */
export function takeRoom(known: Ledger | undefined, room: MyRoom): Ledger {
  const mark = markOf(room);
  if (!known) return { room, mark, entries: [], isSure: true };
  const isNewer =
    room.seq > known.room.seq ||
    (room.seq === known.room.seq && mark.version >= markOf(known.room).version);
  return takeMark(isNewer ? { ...known, room } : known, mark);
}

/** Adds an answer about what is read. An older answer changes nothing. */
export function takeMark(known: Ledger, mark: ReadMark): Ledger {
  const { version, room_seq } = known.mark;
  const isNewer = mark.version > version || (mark.version === version && mark.room_seq >= room_seq);
  const next = isNewer ? { ...known, mark } : known;
  const past = Math.min(next.room.seq, next.mark.room_seq);
  const entries = next.entries.filter(({ seq }) => seq > past);
  const isSure = isNewer || known.isSure;
  return { ...next, entries, isSure };
}

/** Adds an entry. One that the answer includes already changes nothing. */
export function addEntry(known: Ledger, entry: Entry, meId: string | undefined): Ledger {
  if (entry.seq <= Math.min(known.room.seq, known.mark.room_seq)) return known;
  const at = known.entries.findLastIndex(({ seq }) => seq <= entry.seq);
  const before = known.entries[at];
  if (before?.seq === entry.seq) {
    const isBetter = before.kind === "edit" && before.isMention === null && entry.kind === "edit";
    return isBetter ? { ...known, entries: known.entries.with(at, entry) } : known;
  }
  const next = { ...known, entries: known.entries.toSpliced(at + 1, 0, entry) };
  return next.entries.length > MAX_ENTRIES ? compact(next, meId) : next;
}

/** Whether the events do not say what is unread, so that the room must be loaded. */
export function isUnsure(ledger: Ledger, meId: string | undefined): boolean {
  return !readLedger(ledger, meId).isSure;
}

/** The room as it is shown. @param meId to know whether a new owner is me */
export function readLedger({ room, mark, entries, isSure }: Ledger, meId: string | undefined) {
  let shown = room;
  for (const entry of entries) if (entry.seq > room.seq) shown = applyEntry(shown, entry, meId);
  const { last_read_at, last_read_seq, version } = mark;
  const most = "direct" in room ? MAX_DIRECT_UNREAD : MAX_UNREAD;
  const { isCounted, ...unread } = count(mark, entries, most);
  const membership = shown.membership && {
    ...shown.membership,
    last_read_at,
    last_read_seq,
    version: Math.max(version, shown.membership.version),
    ...unread,
  };
  return { room: { ...shown, membership }, isSure: isSure && isCounted };
}

/**
 * Marks everything up to a time as read, before the service has confirmed it.
 * @param at when the newest message that was seen was written
 */
export function readUpTo(ledger: Ledger, at: string): Ledger {
  const { room, mark, entries } = ledger;
  if (mark.last_read_at > at) return ledger;
  const messages = entries.filter((entry) => entry.kind === "message");
  const seen = messages.filter((message) => message.at <= at).map(({ seq }) => seq);
  const last_read_seq = Math.max(mark.last_read_seq, ...seen);
  // If the answer counts newer messages too, its count stays until the next answer.
  const isPast =
    (room.last_message_at ?? "") <= at &&
    messages.every((message) => message.seq > mark.room_seq || message.at <= at);
  const unread = isPast ? { unread: false, mention_count: 0 } : {};
  return { ...ledger, mark: { ...mark, last_read_at: at, last_read_seq, ...unread } };
}

function applyEntry(room: MyRoom, entry: Entry, meId: string | undefined): MyRoom {
  const { seq } = entry;
  if (entry.kind === "message") {
    const { last_message_at } = room;
    const isNewest = last_message_at === null || last_message_at < entry.at;
    return { ...room, seq, last_message_at: isNewest ? entry.at : last_message_at };
  }
  if (entry.kind === "members") return { ...room, seq, member_count: room.member_count + entry.by };
  if (entry.kind === "pins") {
    const { pin_count, newest_pin } = entry;
    return { ...room, seq, pin_count, newest_pin };
  }
  if (entry.kind !== "room") return { ...room, seq };
  const { name, description, privacy, is_archived, is_default, pinning, threads, owner } =
    entry.room;
  const { membership } = room;
  // A new owner changes my role; other changes of it have their own events.
  const role: Role | null =
    owner.id === meId ? "owner" : membership?.role === "owner" ? "admin" : null;
  const mine = membership && role ? { ...membership, role } : membership;
  const changed = { name, description, privacy, is_archived, is_default, pinning, threads, owner };
  return { ...room, seq, ...changed, membership: mine };
}

/** Counts unread messages: those of the mark, and other people's messages after it. */
function count(mark: ReadMark, entries: Entry[], most: number) {
  const messages = new Map<string, { seq: number; isNews: boolean; isMention: boolean }>();
  let isCounted = true;
  for (const entry of entries) {
    if (entry.kind === "message") messages.set(entry.id, entry);
    if (entry.seq <= mark.room_seq || (entry.kind !== "edit" && entry.kind !== "delete")) continue;
    const message = messages.get(entry.id);
    if (message ? !message.isNews || message.seq <= mark.last_read_seq : !mark.unread) continue;
    // The answer about the mark has counted this message, or may have.
    if (!message || message.seq <= mark.room_seq) {
      const isSame = entry.kind === "edit" && entry.isMention === false && mark.mention_count === 0;
      isCounted &&= isSame;
    } else if (entry.kind === "delete") messages.delete(entry.id);
    else if (entry.isMention === null) isCounted = false;
    else messages.set(entry.id, { ...message, isMention: entry.isMention });
  }
  const news = [...messages.values()].filter(
    ({ seq, isNews }) => isNews && seq > mark.room_seq && seq > mark.last_read_seq,
  );
  const mentions = mark.mention_count + news.filter(({ isMention }) => isMention).length;
  return {
    unread: mark.unread || news.length > 0,
    mention_count: Math.min(most, mentions),
    isCounted,
  };
}

function compact(ledger: Ledger, meId: string | undefined): Ledger {
  const { room, mark, entries } = ledger;
  const older = { ...ledger, entries: entries.slice(0, MAX_ENTRIES / 2) };
  const end = older.entries.at(-1)?.seq ?? 0;
  const { room: shown, isSure } = readLedger(older, meId);
  const { unread, mention_count } = shown.membership ?? { unread: false, mention_count: 0 };
  return {
    room: { ...shown, seq: Math.max(end, room.seq) },
    mark: { ...mark, unread, mention_count, room_seq: Math.max(end, mark.room_seq) },
    entries: entries.slice(MAX_ENTRIES / 2),
    isSure,
  };
}

/** The read mark in an answer about one of my rooms. */
function markOf({ membership, seq }: MyRoom): ReadMark {
  if (!membership) throw new Error("markOf: a room that I am not in");
  const { last_read_at, last_read_seq, unread, mention_count, version } = membership;
  return { last_read_at, last_read_seq, unread, mention_count, version, room_seq: seq };
}
