import type { MyRoom, ReadMark, Role, Room } from "../../../../src/wire/models.ts";
import { MAX_DIRECT_UNREAD, MAX_UNREAD } from "../../../../src/wire/limits.ts";
import type { Conversation } from "./conversation.ts";

/**
 * The newest response about one of my rooms, and the events since, by number. The displayed room is
 * the response with the events applied, so neither order nor repetition matters.
 */
export type Ledger = {
  /** The newest response about the room; it includes the log up to `room.seq`. */
  room: Conversation;
  /** The newest response about the read mark; it includes the log up to `mark.room_seq`. */
  mark: ReadMark;
  /** Sorted by number. */
  entries: Entry[];
  /** False if the events do not determine what is unread, so that the room must be loaded. */
  isUnreadKnown: boolean;
  /**
   * The time up to which I have read it on this page; null if the mark includes it. Responses with
   * earlier marks do not reset it.
   */
  seenAt: string | null;
  /** How many times the room was marked unread, which moves its mark back. */
  timesMarkedUnread: number;
};

/** Above this number of entries, the older half is folded into the stored response. */
const MAX_ENTRIES = 200;

/** Adds a response about the whole room. An older response changes nothing. */
export function mergeRoom(ledger: Ledger | undefined, room: Conversation): Ledger {
  const mark = markOf(room);
  if (!ledger)
    return { room, mark, entries: [], isUnreadKnown: true, seenAt: null, timesMarkedUnread: 0 };
  const isNewer =
    room.seq > ledger.room.seq ||
    (room.seq === ledger.room.seq && mark.version >= markOf(ledger.room).version);
  return mergeReadMark(isNewer ? { ...ledger, room } : ledger, mark);
}

/** Adds a response about the read mark. An older response changes nothing. */
export function mergeReadMark(ledger: Ledger, answer: ReadMark): Ledger {
  // Every message of a conversation counts as a mention.
  const mark = { ...answer, mention_count: answer.unread_count ?? answer.mention_count };
  const { version, room_seq, last_read_seq } = ledger.mark;
  const isNewer = mark.version > version || (mark.version === version && mark.room_seq >= room_seq);
  const isMovedBack = mark.version > version && mark.last_read_seq < last_read_seq;
  const seenAt = isMovedBack || (ledger.seenAt ?? "") <= mark.last_read_at ? null : ledger.seenAt;
  const timesMarkedUnread = ledger.timesMarkedUnread + (isMovedBack ? 1 : 0);
  const next = isNewer ? { ...ledger, mark, seenAt, timesMarkedUnread } : ledger;
  const past = Math.min(next.room.seq, next.mark.room_seq);
  const entries = next.entries.filter(({ seq }) => seq > past);
  const isUnreadKnown = isNewer || ledger.isUnreadKnown;
  return { ...next, entries, isUnreadKnown };
}

/** Adds an entry, unless the response already includes it. */
export function addEntry(ledger: Ledger, entry: Entry, meId: string | undefined): Ledger {
  if (entry.seq <= Math.min(ledger.room.seq, ledger.mark.room_seq)) return ledger;
  const at = ledger.entries.findLastIndex(({ seq }) => seq <= entry.seq);
  const before = ledger.entries[at];
  if (before?.seq === entry.seq) {
    const isBetter = before.kind === "edit" && before.isMention === null && entry.kind === "edit";
    return isBetter ? { ...ledger, entries: ledger.entries.with(at, entry) } : ledger;
  }
  const next = { ...ledger, entries: ledger.entries.toSpliced(at + 1, 0, entry) };
  return next.entries.length > MAX_ENTRIES ? compact(next, meId) : next;
}

/** Whether the events do not determine what is unread, so that the room must be loaded. */
export function isUnreadUnknown(ledger: Ledger, meId: string | undefined): boolean {
  return !readLedger(ledger, meId).isUnreadKnown;
}

/**
 * The room as displayed.
 * @param meId to detect whether I am a new owner
 */
export function readLedger(ledger: Ledger, meId: string | undefined) {
  const { room, entries, isUnreadKnown } = ledger;
  const mark = seenMark(ledger);
  let current = room;
  for (const entry of entries) if (entry.seq > room.seq) current = applyEntry(current, entry, meId);
  const { last_read_at, last_read_seq, version } = mark;
  const max = room.kind === "direct" ? MAX_DIRECT_UNREAD : MAX_UNREAD;
  const { isCounted, ...unread } = countUnread(mark, entries, max);
  const membership = current.membership && {
    ...current.membership,
    last_read_at,
    last_read_seq,
    version: Math.max(version, current.membership.version),
    ...unread,
  };
  return { room: { ...current, membership }, isUnreadKnown: isUnreadKnown && isCounted };
}

/**
 * Marks everything up to a time as read, before the service has confirmed it.
 * @param at the time of the newest message that was seen
 */
export function readUpTo(ledger: Ledger, at: string): Ledger {
  const isKnown = ledger.mark.last_read_at >= at || (ledger.seenAt ?? "") >= at;
  return isKnown ? ledger : { ...ledger, seenAt: at };
}

/** Marks the room as unread: messages that were seen must be read again. */
export function readAgain(ledger: Ledger, mark: ReadMark): Ledger {
  return {
    ...mergeReadMark(forgetSeen(ledger), mark),
    timesMarkedUnread: ledger.timesMarkedUnread + 1,
  };
}

/** Forgets what was seen on this page, because it may never have reached the service. */
export function forgetSeen(ledger: Ledger): Ledger {
  return ledger.seenAt === null ? ledger : { ...ledger, seenAt: null };
}

/** The read mark, moved forward by the messages seen on this page. */
function seenMark({ room, mark, entries, seenAt }: Ledger): ReadMark {
  if (seenAt === null) return mark;
  const messages = entries.filter((entry) => entry.kind === "message");
  const seenSeqs = messages.filter((message) => message.at <= seenAt).map(({ seq }) => seq);
  const last_read_seq = Math.max(mark.last_read_seq, ...seenSeqs);
  // If the response counts newer messages too, its count stays until the next response.
  const isAllRead =
    (room.last_message_at ?? "") <= seenAt &&
    messages.every((message) => message.seq > mark.room_seq || message.at <= seenAt);
  const unread = isAllRead ? { unread: false, mention_count: 0 } : {};
  return { ...mark, last_read_at: seenAt, last_read_seq, ...unread };
}

function compact(ledger: Ledger, meId: string | undefined): Ledger {
  const { room, mark, entries } = ledger;
  const older = { ...ledger, entries: entries.slice(0, MAX_ENTRIES / 2) };
  const end = older.entries.at(-1)?.seq ?? 0;
  const { room: olderRoom, isUnreadKnown } = readLedger(older, meId);
  const { unread, mention_count } = olderRoom.membership ?? { unread: false, mention_count: 0 };
  return {
    ...ledger,
    room: { ...olderRoom, seq: Math.max(end, room.seq) },
    mark: { ...mark, unread, mention_count, room_seq: Math.max(end, mark.room_seq) },
    entries: entries.slice(MAX_ENTRIES / 2),
    isUnreadKnown,
  };
}

/** The read mark in a response about one of my rooms. */
function markOf({ membership, seq }: MyRoom): ReadMark {
  if (!membership) throw new Error("markOf: a room that I am not in");
  const { last_read_at, last_read_seq, unread, mention_count, version } = membership;
  return { last_read_at, last_read_seq, unread, mention_count, version, room_seq: seq };
}

/** An event of a room's log, reduced to what a list of rooms shows. */
export type Entry = { seq: number } & (
  | { kind: "message"; id: string; at: string; isNews: boolean; isMention: boolean }
  /** `isMention` is null if unknown. */
  | { kind: "edit"; id: string; isMention: boolean | null }
  /** `at` is the time of the message, if its own event was never received. */
  | { kind: "delete"; id: string; at?: string | undefined }
  | { kind: "members"; by: 1 | -1 }
  | ({ kind: "pins" } & Pick<MyRoom, "pin_count" | "newest_pin">)
  | { kind: "room"; room: Room }
);

/**
 * A room after an event of its log.
 * @param meId to detect whether I am a new owner
 */
function applyEntry(room: Conversation, entry: Entry, meId: string | undefined): Conversation {
  const { seq } = entry;
  if ((entry.kind === "message" || entry.kind === "delete") && entry.at !== undefined) {
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
  const { private_until_seq } = entry.room;
  const { membership } = room;
  // A new owner changes my role; other changes of my role have their own events.
  const role: Role | null =
    owner.id === meId ? "owner" : membership?.role === "owner" ? "admin" : null;
  const ownMembership = membership && role ? { ...membership, role } : membership;
  const changed = { name, description, privacy, is_archived, is_default, pinning, threads, owner };
  return { ...room, seq, ...changed, private_until_seq, membership: ownMembership };
}

/** Counts unread messages: those of the mark, and other people's messages after it. */
function countUnread(mark: ReadMark, entries: Entry[], max: number) {
  const messages = new Map<string, { seq: number; isNews: boolean; isMention: boolean }>();
  let isCounted = true;
  for (const entry of entries) {
    if (entry.kind === "message") messages.set(entry.id, entry);
    if (entry.seq <= mark.room_seq || (entry.kind !== "edit" && entry.kind !== "delete")) continue;
    const message = messages.get(entry.id);
    if (message ? !message.isNews || message.seq <= mark.last_read_seq : !mark.unread) continue;
    // The mark's count includes this message, or may include it.
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
    mention_count: Math.min(max, mentions),
    isCounted,
  };
}
