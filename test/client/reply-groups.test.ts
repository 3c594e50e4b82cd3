import { describe, expect, test } from "bun:test";
import { groupReplies } from "../../public/app/state/timeline/reply-groups.ts";
import type { Message } from "../../src/wire/models.ts";
import { seeded } from "../support/soak.ts";

/** "a1" is a reply in thread a, "m" is none; numbers follow the place. */
function read(text: string, from = 1): Message[] {
  return text.split(" ").map((word, i) => {
    const thread_id = word === "m" ? null : word[0];
    return { id: `${word}${from + i}`, seq: from + i, thread_id } as Message;
  });
}

/** "m" for a message, "a3" for three folded replies of thread a. */
function draw(messages: Message[], breaks: string | null = null): string {
  const { lines, replyGroups } = groupReplies(messages, breaks);
  return lines
    .map(({ id, thread_id }) =>
      thread_id ? `${thread_id}${replyGroups.get(id)?.replies.length}` : "m",
    )
    .join(" ");
}

describe("replies in the room", () => {
  test("those of one thread are one line until something else is said", () => {
    expect(draw(read("m a a a m a"))).toBe("m a3 m a1");
  });

  test("threads that go on at the same time have a line each, which keeps its place", () => {
    expect(draw(read("m a b a b b m"))).toBe("m a2 b3 m");
    expect(draw(read("m a b"))).toBe("m a1 b1");
    expect(draw(read("m a b a"))).toBe("m a2 b1");
  });

  describe("near their root", () => {
    /** The root of thread a, messages between, and replies. */
    const under = (between: Partial<Message>[], breaks: string | null = null) => {
      const root = { id: "a", seq: 1, thread_id: null, thread: {}, content: "root" };
      const others = between.map((other, i) => ({ id: `m${i}`, thread_id: null, ...other }));
      const all = [root, ...others, { id: "r1", thread_id: "a" }, { id: "r2", thread_id: "a" }];
      return draw(
        all.map((message, i) => ({ seq: i + 1, ...message }) as Message),
        breaks,
      );
    };

    test("have no line", () => {
      expect(under([])).toBe("m");
      expect(under([{ content: "short" }, { content: "too" }])).toBe("m m m");
    });

    test("have one further down", () => {
      const short = Array.from({ length: 6 }, () => ({ content: "short" }));
      expect(under(short)).toBe("m m m m m m m a2");
      expect(under([{ content: "long ".repeat(300) }])).toBe("m m a2");
      expect(under([{ image: {} } as Message, { content: "two" }])).toBe("m m m");
      expect(under([{ image: {} } as Message, { image: {} } as Message])).toBe("m m m a2");
    });

    test("have one at which unread messages begin", () => {
      expect(under([], "r2")).toBe("m a1");
    });
  });

  test("the first unread reply begins a line of its own", () => {
    expect(draw(read("a a a a"), "a3")).toBe("a2 a2");
  });

  test("the numbers that lines stand for have no hole, and none is in two", () => {
    const random = seeded(7);
    for (let run = 0; run < 50; run++) {
      const words = Array.from(
        { length: 40 },
        () => ["m", "a", "b", "c"][Math.floor(random() * 4)],
      );
      const messages = read(words.join(" "));
      const { lines, replyGroups } = groupReplies(messages, null);
      const ranges = lines.map(({ id, seq }) => [seq, replyGroups.get(id)?.to ?? seq] as const);
      const seqs = ranges.flatMap(([from, to]) =>
        Array.from({ length: to - from + 1 }, (_, i) => from + i),
      );
      expect(seqs).toEqual(messages.map(({ seq }) => seq));
    }
  });

  test("a page before goes on where the one after it begins", () => {
    const newer = read("a a m", 4);
    expect(draw(newer)).toBe("a2 m");
    expect(draw([...read("m a a"), ...newer])).toBe("m a4 m");
  });
});
