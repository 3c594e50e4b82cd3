import type { MyRoom, ReadMark, Role, Room } from "../../../../src/wire/models.ts";
import type { Conversation } from "./direct-room.ts";

/** An event of a room's log, reduced to what a list of rooms shows. */
export type Entry = { seq: number } & (
  | { kind: "message"; id: string; at: string; isNews: boolean; isMention: boolean }
  /** `isMention` is null where it is not known. */
  | { kind: "edit"; id: string; isMention: boolean | null }
  /** `at` is when it was written, if its own event was never sent. */
  | { kind: "delete"; id: string; at?: string | undefined }
  | { kind: "members"; by: 1 | -1 }
  | ({ kind: "pins" } & Pick<MyRoom, "pin_count" | "newest_pin">)
  | { kind: "room"; room: Room }
);

/** A room after an event of its log. @param meId to know whether a new owner is me */
export function applyEntry(
  room: Conversation,
  entry: Entry,
  meId: string | undefined,
): Conversation {
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
  // A new owner changes my role; other changes of it have their own events.
  const role: Role | null =
    owner.id === meId ? "owner" : membership?.role === "owner" ? "admin" : null;
  const ownMembership = membership && role ? { ...membership, role } : membership;
  const changed = { name, description, privacy, is_archived, is_default, pinning, threads, owner };
  return { ...room, seq, ...changed, private_until_seq, membership: ownMembership };
}

/** Counts unread messages: those of the mark, and other people's messages after it. */
export function countUnread(mark: ReadMark, entries: Entry[], most: number) {
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
