import { beforeEach, describe, expect, test } from "bun:test";
import { Feed } from "../../src/feed/feed.ts";
import type { RoomEvent } from "../../src/wire/events.ts";

const ROOM = "a-room";

/** The last number of a log, and what the feed has done. */
let log: number;
let published: number[];
let removed: string[];
let reads: number;
let feed: Feed;
/** Reads of the log wait for it. */
let hold: Promise<void>;
/** The number at which the sink throws, or "gone" if it throws at a deleted room. */
let failing: number | "gone";

function event(seq: number): RoomEvent {
  return { type: "message_delete", room_id: ROOM, seq, message_id: "m" };
}

/** Publishes events that this instance has committed. */
function commit(...seqs: number[]): void {
  feed.publish(seqs.map((seq) => ({ event: event(seq), kind: "room" })));
}

beforeEach(() => {
  log = 10;
  published = [];
  removed = [];
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
        if (seq === failing) throw new Error("cannot be published");
        published.push(seq);
      },
      onUnfollowedGrowth() {},
      removeRoom(id) {
        if (failing === "gone" && id === ROOM) throw new Error("cannot be closed");
        removed.push(id);
      },
    },
  );
});

/** Lets pending promises run. */
const settle = () => new Promise<void>((resolve) => setImmediate(resolve));

describe("a feed", () => {
  test("starts at the room's position: earlier events are not published", async () => {
    feed.follow(ROOM, 10);
    expect(feed.position(ROOM)).toBe(10);
    expect(published).toEqual([]);
  });

  test("publishes each event once and in order, in whatever order they arrive", async () => {
    feed.follow(ROOM, 10);
    log = 13;
    hold = new Promise(() => {});
    commit(13);
    commit(12, 11);
    commit(12);
    expect(published).toEqual([11, 12, 13]);
  });

  test("reads the events of a hint from the log", async () => {
    feed.follow(ROOM, 10);
    log = 12;
    feed.onGrowth(ROOM, 12);
    await settle();
    expect(published).toEqual([11, 12]);
  });

  test("reads a gap from the log before it continues", async () => {
    feed.follow(ROOM, 10);
    log = 13;
    commit(13);
    expect(published).toEqual([]);
    await settle();
    expect(published).toEqual([11, 12, 13]);
  });

  test("reads once for many hints", async () => {
    feed.follow(ROOM, 10);
    log = 15;
    for (let seq = 11; seq <= 15; seq++) feed.onGrowth(ROOM, seq);
    await settle();
    expect(published).toEqual([11, 12, 13, 14, 15]);
    expect(reads).toBe(1);
  });

  test("reads once for all rooms of one notification", async () => {
    const rooms = ["one", "two", "three"];
    for (const room of rooms) feed.follow(room, 10);
    log = 11;
    for (const room of rooms) feed.onGrowth(room, 11);
    await settle();
    expect(published).toEqual([11, 11, 11]);
    expect(reads).toBe(1);
  });

  test("reads again if a room has more events than one read returns", async () => {
    feed.follow(ROOM, 10);
    log = 350;
    feed.onGrowth(ROOM, 350);
    await settle();
    expect(published).toEqual(Array.from({ length: 340 }, (_, i) => 11 + i));
  });

  test("publishes no event twice that arrives while the log is being read", async () => {
    feed.follow(ROOM, 10);
    const { promise, resolve } = Promise.withResolvers<void>();
    hold = promise;
    log = 12;
    feed.onGrowth(ROOM, 12);
    commit(11, 12);
    resolve();
    await settle();
    expect(published).toEqual([11, 12]);
  });

  test("reads again if the log has grown during a read that brought nothing new", async () => {
    feed.follow(ROOM, 10);
    const { promise, resolve } = Promise.withResolvers<void>();
    hold = promise;
    log = 11;
    feed.onGrowth(ROOM, 11);
    await settle();
    commit(11);
    log = 12;
    feed.onGrowth(ROOM, 12);
    resolve();
    await settle();
    expect(published).toEqual([11, 12]);
  });

  test("remembers numbers of a room from shortly before it was followed", async () => {
    log = 12;
    feed.onGrowth(ROOM, 11);
    commit(12);
    feed.follow(ROOM, 10);
    await settle();
    expect(published).toEqual([11, 12]);
  });

  test("catches up by a check when every hint was lost", async () => {
    feed.follow(ROOM, 10);
    log = 1_300;
    await feed.checkPositions();
    await settle();
    expect(published).toEqual(Array.from({ length: 1_290 }, (_, i) => 11 + i));
  });

  test("publishes while paused what was there before rights were compared, the rest after the next time", async () => {
    feed.follow(ROOM, 10);
    feed.pause();
    log = 11;
    await feed.checkPositions(async () => {
      expect(published).toEqual([]);
      log = 12;
    });
    await settle();
    expect(published).toEqual([11]);
    await feed.checkPositions();
    await settle();
    expect(published).toEqual([11, 12]);
    feed.resume();
  });

  test("reports that a room was deleted", async () => {
    feed.follow(ROOM, 10);
    log = 0;
    await feed.checkPositions();
    expect(removed).toEqual([ROOM]);
  });

  test("follows until the last follower has left", async () => {
    feed.follow(ROOM, 10);
    feed.follow(ROOM, 10);
    feed.unfollow([ROOM]);
    expect(feed.position(ROOM)).toBe(10);
    feed.unfollow([ROOM]);
    expect(feed.position(ROOM)).toBeUndefined();
    commit(11);
    expect(published).toEqual([]);
  });

  test("continues after the sink has thrown at an event or a deleted room", async () => {
    failing = 12;
    feed.follow(ROOM, 10);
    log = 13;
    feed.onGrowth(ROOM, 13);
    await settle();
    commit(14);
    log = 15;
    feed.onGrowth(ROOM, 15);
    await settle();
    expect(published).toEqual([11, 13, 14, 15]);
    feed.follow("another", 10);
    failing = "gone";
    log = 0;
    await feed.checkPositions();
    expect(removed).toEqual(["another"]);
  });

  test("survives a read that fails, and repeats it at the next check", async () => {
    feed.follow(ROOM, 10);
    hold = Promise.reject(new Error("away"));
    hold.catch(() => {});
    log = 12;
    feed.onGrowth(ROOM, 12);
    await settle();
    expect(published).toEqual([]);
    hold = Promise.resolve();
    await feed.checkPositions();
    await settle();
    expect(published).toEqual([11, 12]);
  });
});
