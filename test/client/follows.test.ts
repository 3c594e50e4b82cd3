import { describe, expect, test } from "bun:test";
import {
  withFollow,
  withMark,
  withoutFollows,
  withReply,
  withThread,
} from "../../public/app/state/events/thread-state.ts";
import {
  countUnreadReplies,
  countUnreadThreads,
  type Follow,
  type Follows,
} from "../../public/app/state/model/follows.ts";
import type { Thread } from "../../src/wire/models.ts";

const summary = (last_reply_seq: number, is_resolved = false): Thread => ({
  title: null,
  reply_count: 1,
  author_ids: [],
  last_reply_seq,
  is_resolved,
  last_reply_at: "2026-11-22T12:00:00.000Z",
});
const root = { id: "t", author: { id: "bob", name: "Bob" }, title: null, content: "Shall we?" };
const counted = (count: number | null, countedSeq: number, later: number[] = []) => ({
  count,
  countedSeq,
  later,
});
const followed = (change: Partial<Follow> = {}): Follows => ({
  t: {
    room_id: "r",
    read_seq: 1,
    replied_seq: 0,
    last_reply_seq: 1,
    is_resolved: false,
    seq: 0,
    root: root as Follow["root"],
    replies: counted(0, 1),
    ...change,
  },
});
const reply = (seq: number, isMine = false, thread: Thread | null = null) => {
  return (follows: Follows | null) => withReply(follows, { threadId: "t", seq, isMine }, thread);
};

function permutations<T>(list: T[]): T[][] {
  if (list.length < 2) return [list];
  return list.flatMap((item, i) =>
    permutations(list.toSpliced(i, 1)).map((others) => [item, ...others]),
  );
}

describe("what I follow", () => {
  test("is the same in whatever order its room's events come", () => {
    const events = [
      reply(2, false, summary(2)),
      reply(3, true, summary(3)),
      (follows: Follows | null) => withThread(follows, "t", 4, summary(3, true)),
      reply(5, false, summary(5)),
      (follows: Follows | null) => withThread(follows, "t", 7, summary(6)),
      reply(6, false, null),
    ];
    for (const order of permutations(events)) {
      const end = order.reduce<Follows | null>((now, apply) => apply(now), followed());
      const later = end?.t?.replies.later.toSorted() ?? [];
      expect(later).toEqual([2, 5, 6]);
      const replies = counted(null, 1, [...(end?.t?.replies.later ?? [])]);
      expect(end).toEqual(
        followed({ read_seq: 3, replied_seq: 3, last_reply_seq: 6, seq: 7, replies }),
      );
    }
  });

  test.each([
    ["before my own reply is moved up to there", 0, 5],
    ["after my own reply stays further back", 5, 2],
  ])("with a mark from %s, whichever is heard first", (_, replied_seq, read_seq) => {
    const mark = (follows: Follows | null) => withMark(follows, "t", { read_seq: 2, replied_seq });
    for (const [one, other] of permutations([reply(5, true, summary(5)), mark])) {
      const end = other?.(one?.(followed()) ?? null);
      expect(end).toEqual(followed({ read_seq, replied_seq: 5, last_reply_seq: 5, seq: 5 }));
    }
  });

  test("counts unread replies of others, each once, wherever the mark is moved to", () => {
    const count = (follows: Follows | null) => follows?.t && countUnreadReplies(follows.t);
    const three = [
      reply(4),
      reply(3),
      reply(4),
      reply(6, true),
      reply(7),
      reply(8),
    ].reduce<Follows | null>((now, apply) => apply(now), followed());
    expect(count(three)).toBe(2);
    const marked = (read_seq: number) => withMark(three, "t", { read_seq, replied_seq: 6 });
    expect([1, 3, 6, 7, 8].map((seq) => count(marked(seq)))).toEqual([4, 3, 2, 1, 0]);
  });

  test("does not know how many of the counted replies are before or after another mark", () => {
    const count = (read_seq: number) => {
      const before = followed({ read_seq: 4, last_reply_seq: 9, replies: counted(3, 9) });
      const after = withMark(reply(11)(before), "t", { read_seq, replied_seq: 0 });
      return after?.t && countUnreadReplies(after.t);
    };
    expect([2, 4, 6, 9, 10, 11].map(count)).toEqual([null, 4, null, 1, 1, 0]);
    const lost = withThread(followed({ replies: counted(3, 9) }), "t", 12, summary(8));
    expect(lost?.t && countUnreadReplies(lost.t)).toBeNull();
  });

  test("is unread by another's reply, and read by my own", () => {
    expect(countUnreadThreads(reply(5)(followed()))).toBe(1);
    expect(countUnreadThreads(reply(6, true)(reply(5)(followed())))).toBe(0);
  });

  test("is not unread where only my own replies are after the mark", () => {
    const mine = followed({ read_seq: 4, last_reply_seq: 5, replies: counted(0, 5) });
    expect(countUnreadThreads(mine)).toBe(0);
    expect(countUnreadThreads(reply(6)(mine))).toBe(1);
    // Until the service has counted them, they may be unread.
    expect(countUnreadThreads(followed({ last_reply_seq: 5, replies: counted(null, 5) }))).toBe(1);
  });

  test("is not unread while it is done, and is again with the next reply", () => {
    const done = withThread(reply(5)(followed()), "t", 6, summary(5, true));
    expect(countUnreadThreads(done)).toBe(0);
    expect(countUnreadThreads(reply(7)(done))).toBe(1);
  });

  test("is not unread by a reply that was deleted", () => {
    const before = reply(5, false, summary(5))(followed());
    expect(countUnreadThreads(withThread(before, "t", 6, summary(1)))).toBe(0);
    expect(withThread(before, "t", 6, null)).toEqual({});
  });

  test("does not begin with a reply, and ends with the room", () => {
    expect(reply(5)({})).toEqual({});
    expect(reply(5, true)({})).toEqual({});
    expect(withoutFollows(followed(), "r")).toEqual({});
    const ended = { is_following: false, read_seq: null, replied_seq: 0 };
    expect(withFollow(followed(), "t", ended, null)).toEqual({});
  });

  test("can be marked unread again", () => {
    const read = withMark(reply(5)(followed()), "t", { read_seq: 5, replied_seq: 0 });
    expect(countUnreadThreads(read)).toBe(0);
    expect(countUnreadThreads(withMark(read, "t", { read_seq: 4, replied_seq: 0 }))).toBe(1);
  });
});
