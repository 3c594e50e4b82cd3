/** A thread that I follow, with the fields that decide what is unread. */
export type Follow = {
  room_id: string;
  read_seq: number;
  /** My last reply up to the mark: a later one moves the mark up to itself. */
  replied_seq: number;
  last_reply_seq: number;
  is_resolved: boolean;
  /** The number of the room's log that the last reply and `is_resolved` include. */
  seq: number;
};

export type Follows = Readonly<Record<string, Follow>>;

/** Whether there is a reply that I have not read, in a thread that is not done. */
export function isUnread({ read_seq, last_reply_seq, is_resolved }: Follow): boolean {
  return !is_resolved && last_reply_seq > read_seq;
}

/** How many of the threads that I follow are unread. */
export function countUnreadThreads(follows: Follows | null): number {
  return Object.values(follows ?? {}).filter(isUnread).length;
}
