import { beforeEach, describe, expect, test } from "bun:test";
import { Feed } from "../../src/feed/feed.ts";
import type { RoomEvent } from "../../src/wire/events.ts";

const ROOM = "a-room";

/** A log that a test writes, and what the feed made of it. */
let log: number;
let delivered: number[];
let gone: string[];
let reads: number;
let feed: Feed;
/** Holds back reads of the log until it resolves. */
let hold: Promise<void>;
/** The number that the sink throws at, or "gone" where it throws at a room that is gone. */
let failing: number | "gone";

function event(seq: number): RoomEvent {
  return { type: "message_delete", room_id: ROOM, seq, message_id: "m" };
}

beforeEach(() => {
  log = 10;
  delivered = [];
  gone = [];
  failing = 0;
  reads = 0;
  hold = Promise.resolve();
  feed = new Feed(
    {
      async readEvents(spans, limit) {
        reads += 1;
        const last = log;
        await hold;
        return spans.flatMap(({ roomId, after }) => {
          const count = Math.max(0, Math.min(limit, last - after));
          return Array.from({ length: count }, (_, i) => ({
            ...event(after + 1 + i),
            room_id: roomId,
          }));
        });
      },
      async readPositions(roomIds) {
        await hold;
        return new Map(log === 0 ? [] : roomIds.map((id) => [id, log]));
      },
    },
    {
      publish({ seq }) {
        if (seq === failing) throw new Error("cannot be delivered");
        delivered.push(seq);
      },
      removeRoom(id) {
        if (failing === "gone" && id === ROOM) throw new Error("cannot be closed");
        gone.push(id);
      },
    },
  );
});

/** Lets what waits for promises run. */
const settle = () => new Promise<void>((resolve) => setImmediate(resolve));

describe("a feed", () => {
  test("starts where the room stands: what was before is not delivered", async () => {
    feed.follow(ROOM, 10);
    expect(feed.position(ROOM)).toBe(10);
    expect(delivered).toEqual([]);
  });

  test("delivers what is offered, once, in order, whatever the order of offers", async () => {
    feed.follow(ROOM, 10);
    log = 13;
    hold = new Promise(() => {});
    feed.publish([event(13)]);
    feed.publish([event(12), event(11)]);
    feed.publish([event(12)]);
    expect(delivered).toEqual([11, 12, 13]);
  });

  test("reads from the log what a hint speaks of", async () => {
    feed.follow(ROOM, 10);
    log = 12;
    feed.noteGrowth(ROOM, 12);
    await settle();
    expect(delivered).toEqual([11, 12]);
  });

  test("fills a gap from the log before it goes on", async () => {
    feed.follow(ROOM, 10);
    log = 13;
    feed.publish([event(13)]);
    expect(delivered).toEqual([]);
    await settle();
    expect(delivered).toEqual([11, 12, 13]);
  });

  test("asks once for many hints at a time", async () => {
    feed.follow(ROOM, 10);
    log = 15;
    for (let seq = 11; seq <= 15; seq++) feed.noteGrowth(ROOM, seq);
    await settle();
    expect(delivered).toEqual([11, 12, 13, 14, 15]);
    expect(reads).toBe(1);
  });

  test("asks once for all rooms that one notification speaks of", async () => {
    const rooms = ["one", "two", "three"];
    for (const room of rooms) feed.follow(room, 10);
    log = 11;
    for (const room of rooms) feed.noteGrowth(room, 11);
    await settle();
    expect(delivered).toEqual([11, 11, 11]);
    expect(reads).toBe(1);
  });

  test("reads on where a room has more than one read takes", async () => {
    feed.follow(ROOM, 10);
    log = 350;
    feed.noteGrowth(ROOM, 350);
    await settle();
    expect(delivered).toEqual(Array.from({ length: 340 }, (_, i) => 11 + i));
  });

  test("does not deliver twice what is offered while the log is being read", async () => {
    feed.follow(ROOM, 10);
    const { promise, resolve } = Promise.withResolvers<void>();
    hold = promise;
    log = 12;
    feed.noteGrowth(ROOM, 12);
    feed.publish([event(11), event(12)]);
    resolve();
    await settle();
    expect(delivered).toEqual([11, 12]);
  });

  test("knows what it heard of a room shortly before it was followed", async () => {
    log = 12;
    feed.noteGrowth(ROOM, 11);
    feed.publish([event(12)]);
    feed.follow(ROOM, 10);
    await settle();
    expect(delivered).toEqual([11, 12]);
  });

  test("catches up by a check when every hint was lost", async () => {
    feed.follow(ROOM, 10);
    log = 1_300;
    await feed.checkPositions();
    await settle();
    expect(delivered).toEqual(Array.from({ length: 1_290 }, (_, i) => 11 + i));
  });

  test("tells that a room is gone", async () => {
    feed.follow(ROOM, 10);
    log = 0;
    await feed.checkPositions();
    expect(gone).toEqual([ROOM]);
  });

  test("follows until the last follower has left", async () => {
    feed.follow(ROOM, 10);
    feed.follow(ROOM, 10);
    feed.unfollow([ROOM]);
    expect(feed.position(ROOM)).toBe(10);
    feed.unfollow([ROOM]);
    expect(feed.position(ROOM)).toBeUndefined();
    feed.publish([event(11)]);
    expect(delivered).toEqual([]);
  });

  test("goes on after an event that cannot be delivered, and after a room that cannot be closed", async () => {
    failing = 12;
    feed.follow(ROOM, 10);
    log = 13;
    feed.noteGrowth(ROOM, 13);
    await settle();
    feed.publish([event(14)]);
    log = 15;
    feed.noteGrowth(ROOM, 15);
    await settle();
    expect(delivered).toEqual([11, 13, 14, 15]);
    feed.follow("another", 10);
    failing = "gone";
    log = 0;
    await feed.checkPositions();
    expect(gone).toEqual(["another"]);
  });

  test("survives a read that fails, and takes it up at the next check", async () => {
    feed.follow(ROOM, 10);
    hold = Promise.reject(new Error("away"));
    hold.catch(() => {});
    log = 12;
    feed.noteGrowth(ROOM, 12);
    await settle();
    expect(delivered).toEqual([]);
    hold = Promise.resolve();
    await feed.checkPositions();
    await settle();
    expect(delivered).toEqual([11, 12]);
  });
});
