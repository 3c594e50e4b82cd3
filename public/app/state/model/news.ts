import type { MyRoom } from "../../../../src/wire/models.ts";

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
