import type { Me, Message, MyRoom, ReadMark } from "../../../../src/wire/models.ts";
import { forgetSeen, readAgain, readUpTo } from "./ledger.ts";
import {
  isAuthor,
  type State,
  withLedger,
  ledgerOf,
  type NewCount,
  type RoomView,
} from "./model.ts";
import type { RoomEvent } from "../../../../src/wire/events.ts";

/**
 * Whether a message by someone else mentions me. For `@here` I count as online when it was sent:
 * this is true for an event that has just arrived, and the service counts earlier messages exactly.
 */
export function mentionsMe(me: Pick<Me, "id"> | null, message: Message): boolean {
  return !isAuthor(me, message) && (Boolean(message.broadcast) || namesMe(me, message));
}

/**
 * The same for an edited message. Null for `@here`, because whether I was online when it was sent
 * is unknown.
 */
export function mentionsMeNow(me: Pick<Me, "id"> | null, message: Message): boolean | null {
  const isUnknown = message.broadcast === "here" && !isAuthor(me, message) && !namesMe(me, message);
  return isUnknown ? null : mentionsMe(me, message);
}

function namesMe(me: Pick<Me, "id"> | null, { mentions }: Message): boolean {
  return mentions.some(({ user_id }) => user_id === me?.id);
}

/**
 * Marks a room as read up to a time, before the service has confirmed it.
 * @param lastReadAt the time of the newest message that was seen
 */
export function applyRead(state: State, roomId: string, lastReadAt: string): State {
  const ledger = ledgerOf(state, roomId);
  return ledger ? withLedger(state, roomId, readUpTo(ledger, lastReadAt)) : state;
}

/** Marks a room as unread, with the service's response. */
export function applyUnread(state: State, roomId: string, mark: ReadMark): State {
  const ledger = ledgerOf(state, roomId);
  return ledger ? withLedger(state, roomId, readAgain(ledger, mark)) : state;
}

/** Reduces the read mark to what the service has confirmed. */
export function forgetRead(state: State, roomId: string): State {
  const ledger = ledgerOf(state, roomId);
  return ledger ? withLedger(state, roomId, forgetSeen(ledger)) : state;
}

/**
 * What is unread in a room or conversation, as every list, the title and the app's badge show it.
 */
export type News = {
  isMuted: boolean;
  /** Null if it is not muted, or muted without an end. */
  mutedUntil: string | null;
  /** A muted room shows neither unread messages nor mentions. */
  isUnread: boolean;
  /** Every message of a direct conversation counts as a mention. */
  mentions: number;
};

export function readNews(membership: MyRoom["membership"] | undefined): News {
  const isSilent = isMuted(membership);
  const isUnread = !isSilent && membership?.unread === true;
  return {
    isMuted: isSilent,
    mutedUntil: membership?.muted_until ?? null,
    isUnread,
    mentions: isUnread ? (membership?.mention_count ?? 0) : 0,
  };
}

/** Whether a room or conversation is muted. `muted_until` is null once that is over (`watchExpiry`). */
export function isMuted(membership: Muted | null | undefined): boolean {
  return membership?.notify === "none" || membership?.muted_until != null;
}
type Muted = Pick<NonNullable<MyRoom["membership"]>, "notify" | "muted_until">;

/** The rank for sorting by unread: mentions first, then unread, then the others. */
export function weightOf({ mentions, isUnread }: Pick<News, "mentions" | "isUnread">): number {
  return mentions > 0 ? 0 : isUnread ? 1 : 2;
}

/** The count after an event of the room; null where a deleted message may have been counted. */
export function countNew({ unread, messages }: RoomView, event: RoomEvent): NewCount | null {
  // The count already includes the events up to its number.
  if (!unread || event.seq <= unread.seq) return unread;
  const next = { ...unread, seq: event.seq };
  const { since, count, readerId: id } = unread;
  const me = id === undefined ? null : { id };
  if (event.type === "message") {
    return isAuthor(me, event.message) ? next : { ...next, count: count + 1 };
  }
  if (event.type !== "message_delete") return next;
  const deleted = messages.find((message) => message.id === event.message_id);
  if (!deleted) return null;
  return isAuthor(me, deleted) || deleted.created_at <= since
    ? next
    : { ...next, count: count - 1 };
}
