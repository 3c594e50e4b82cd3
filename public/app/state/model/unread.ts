import type { Me, Message, MyRoom, ReadMark } from "../../../../src/wire/models.ts";
import { forgetSeen, readAgain, readUpTo } from "./ledger.ts";
import { isAuthor, type State, withLedger } from "./model.ts";

/**
 * Whether a message is someone else's and mentions me. `@here` counts as if I had been online when
 * it was sent: that is true for an event that arrives, and the service counts earlier ones exactly.
 */
export function mentionsMe(me: Pick<Me, "id"> | null, message: Message): boolean {
  return !isAuthor(me, message) && (Boolean(message.broadcast) || namesMe(me, message));
}

/**
 * As `mentionsMe`, for an edited message. Null for `@here`: whether I was online when it was sent is not
 * known here.
 */
export function mentionsMeNow(me: Pick<Me, "id"> | null, message: Message): boolean | null {
  const isUnknown = message.broadcast === "here" && !isAuthor(me, message) && !namesMe(me, message);
  return isUnknown ? null : mentionsMe(me, message);
}

function namesMe(me: Pick<Me, "id"> | null, { mentions }: Message): boolean {
  return mentions.some(({ user_id }) => user_id === me?.id);
}

/**
 * The state in which a room is read up to a time, before the service has confirmed it.
 * @param lastReadAt when the newest message that was seen was written
 */
export function applyRead(state: State, roomId: string, lastReadAt: string): State {
  const ledger = state.ledgers[roomId];
  return ledger ? withLedger(state, roomId, readUpTo(ledger, lastReadAt)) : state;
}

/** The state in which a room was marked unread here, which the service has answered. */
export function applyUnread(state: State, roomId: string, mark: ReadMark): State {
  const ledger = state.ledgers[roomId];
  return ledger ? withLedger(state, roomId, readAgain(ledger, mark)) : state;
}

/** The state in which nothing of a room is read but what the service has confirmed. */
export function forgetRead(state: State, roomId: string): State {
  const ledger = state.ledgers[roomId];
  return ledger ? withLedger(state, roomId, forgetSeen(ledger)) : state;
}

/** What is new in a room or conversation, as every list, the title and the app's badge show it. */
export type News = {
  isMuted: boolean;
  /** A muted room shows neither unread messages nor mentions. */
  isUnread: boolean;
  /** In a conversation every message counts as a mention. */
  mentions: number;
};

export function readNews(membership: MyRoom["membership"] | undefined): News {
  const isMuted = membership?.notify === "none";
  const isUnread = !isMuted && membership?.unread === true;
  return { isMuted, isUnread, mentions: isUnread ? (membership?.mention_count ?? 0) : 0 };
}

/** The rank for sorting by unread: mentions first, then unread, then the others. */
export function weightOf({ mentions, isUnread }: Pick<News, "mentions" | "isUnread">): number {
  return mentions > 0 ? 0 : isUnread ? 1 : 2;
}
