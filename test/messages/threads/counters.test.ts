import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import { recountThreads } from "../../../src/messages/remove.ts";
import { lockRoomRow } from "../../../src/rooms/access.ts";
import type { Client } from "../../support/client.ts";
import { reply, threadOf, threadsOf, unreadOf } from "../../support/threads.ts";
import { World } from "../../support/world.ts";

/** Counters that stay, by where people have met them in other products. None is kept here. */

let world: World;
let ada: Client;
let bob: Client;
let room: string;
let name: string;
let rooms = 0;
beforeAll(async () => {
  world = await World.start();
});
afterAll(() => world.stop());
/** Ada follows a thread, Bob writes in it. */
beforeEach(async () => {
  const n = rooms++;
  ada = await world.person(`ada${n}`);
  bob = await world.person(`bob${n}`);
  name = `room-${n}`;
  room = await world.room(name, ada, [bob]);
});

const remove = (who: Client, { id }: { id: string }) => who.delete(`/api/messages/${id}`);
/** Nothing is unread, and the list of threads says so. */
async function expectNothing(): Promise<void> {
  expect(await unreadOf(ada)).toEqual({});
  for (const item of await threadsOf(ada)) expect(item.unread_count).toBe(0);
}

describe("Rocket.Chat", () => {
  test("#25656: a reply that is deleted before it was read is not unread", async () => {
    const root = await ada.say(room, "root");
    const message = await reply(bob, root, "one");
    await ada.post(`/api/messages/${root.id}/thread/read`);
    const two = await reply(bob, root, "two");
    expect(await unreadOf(ada)).toEqual({ [root.id]: 1 });
    await remove(bob, two);
    await expectNothing();
    expect((await threadOf(ada, root)).root.thread?.last_reply_seq).toBe(message.seq);
    // A quote of what was deleted brings no number back either.
    await bob.say(room, "quoting", { quote_id: message.id });
    await remove(bob, message);
    await expectNothing();
  });

  test("#30024: a thread that is deleted as a whole after it mentioned someone is not unread", async () => {
    const root = await bob.say(room, "root");
    const message = await reply(bob, root, `@${ada.user.username}, look`);
    expect(await unreadOf(ada)).toEqual({ [root.id]: 1 });
    const mentions = async () =>
      (await ada.get(`/api/rooms/${room}`)).body.membership.mention_count;
    expect(await mentions()).toBe(1);
    await remove(bob, root);
    expect(await unreadOf(ada)).toEqual({ [root.id]: 1 });
    await remove(bob, message);
    await expectNothing();
    expect(await mentions()).toBe(0);
    expect(await threadsOf(ada)).toEqual([]);
  });

  test("#18419: replies that were pruned are not unread, also where threads were switched off", async () => {
    const root = await ada.say(room, "root");
    const other = await ada.say(room, "other");
    const old = await reply(bob, root, "old");
    await reply(bob, other, "all of it is old");
    const message = await reply(ada, root, "kept");
    await ada.post(`/api/messages/${root.id}/thread/unread`, { message_id: old.id });
    expect(await unreadOf(ada)).toEqual({ [root.id]: 1, [other.id]: 1 });
    await ada.patch(`/api/rooms/${room}`, { threads: "off" });
    // What retention does, under the room's lock: old replies go, and their threads are counted again.
    const left = await world.database.db.transaction(async (tx) => {
      await lockRoomRow(tx, room);
      await tx.execute(sql`delete from messages where room_id = ${room} and seq < ${message.seq}
        and thread_id is not null`);
      return recountThreads(tx, [root.id, other.id]);
    });
    expect(left.toSorted((a, b) => (a.id < b.id ? -1 : 1))).toEqual([
      { id: root.id, has_replies: true, is_root_gone: false },
      { id: other.id, has_replies: false, is_root_gone: false },
    ]);
    await expectNothing();
    expect(await threadsOf(ada)).toMatchObject([
      { root: { id: root.id, thread: { reply_count: 1, last_reply_seq: message.seq } } },
    ]);
  });

  test("#14869: reading the room does not clear the number of a thread that was not opened", async () => {
    const root = await ada.say(room, "root");
    await reply(bob, root, "one");
    await ada.post(`/api/rooms/${room}/read`);
    await ada.get(`/api/rooms/${room}/messages`);
    expect((await ada.get(`/api/rooms/${room}`)).body.membership.unread).toBe(false);
    expect(await unreadOf(ada)).toEqual({ [root.id]: 1 });
  });

  test("#19077: one call clears all threads of a room, and one clears everything", async () => {
    const other = await world.room(`${name}-b`, ada, [bob]);
    const [a, b, c] = [
      await ada.say(room, "a"),
      await ada.say(room, "b"),
      await ada.say(other, "c"),
    ];
    for (const root of [a, b, c]) await reply(bob, root, "news");
    await ada.post("/api/threads/read", { room_id: room });
    expect(await unreadOf(ada)).toEqual({ [c.id]: 1 });
    await ada.post("/api/threads/read", {});
    await expectNothing();
  });

  test("feature requests #34898 and #982: a thread is marked unread, also in a muted room", async () => {
    await ada.patch(`/api/rooms/${room}/membership`, { notify: "none" });
    const root = await ada.say(room, "root");
    const [one] = [await reply(bob, root, "one"), await reply(bob, root, "two")];
    expect(await unreadOf(ada)).toEqual({ [root.id]: 2 });
    await ada.post(`/api/messages/${root.id}/thread/read`);
    await expectNothing();
    await ada.post(`/api/messages/${root.id}/thread/unread`, { message_id: one.id });
    expect(await unreadOf(ada)).toEqual({ [root.id]: 2 });
  });
});

describe("Element", () => {
  test("#24392: whatever the order of reading the room and its threads, nothing stays", async () => {
    const root = await ada.say(room, "root");
    const [one, two] = [await reply(bob, root, "one"), await reply(bob, root, "two")];
    await bob.say(room, "on top");
    const readRoom = () => ada.post(`/api/rooms/${room}/read`);
    const readThread = (seq: number) => ada.post(`/api/messages/${root.id}/thread/read`, { seq });
    const orders = [
      [readRoom, () => readThread(two.seq)],
      [() => readThread(two.seq), readRoom],
      [() => readThread(two.seq), () => readThread(one.seq), readRoom],
    ];
    for (const order of orders) {
      await ada.post(`/api/messages/${root.id}/thread/unread`, { message_id: one.id });
      for (const act of order) await act();
      await expectNothing();
      expect((await ada.get(`/api/rooms/${room}`)).body.membership.unread).toBe(false);
    }
    // Edited after it was read: it is no news.
    await bob.patch(`/api/messages/${two.id}`, { content: "two, edited" });
    await bob.post(`/api/messages/${two.id}/reactions`, { emoji: "👍" });
    await expectNothing();
  });

  test("#25420: what is read is read at once, in the answer and in every list", async () => {
    const roots = [await ada.say(room, "a"), await ada.say(room, "b")];
    for (const root of roots) await reply(bob, root, "news");
    for (const root of roots) {
      const { body } = await ada.post(`/api/messages/${root.id}/thread/read`);
      const thread = await threadOf(ada, root);
      expect(body.read_seq).toBe(thread.root.thread?.last_reply_seq);
      expect(thread.follow).toMatchObject({ is_following: true, read_seq: body.read_seq });
      expect(await unreadOf(ada)).not.toHaveProperty(root.id);
    }
    await expectNothing();
  });

  test("#26726: signing in again brings nothing back that was read", async () => {
    const root = await ada.say(room, "root");
    await reply(bob, root, "one");
    await ada.post(`/api/messages/${root.id}/thread/read`);
    const again = await world.signIn(ada.user);
    expect(await unreadOf(again)).toEqual({});
    expect(await threadsOf(again)).toMatchObject([{ unread_count: 0 }]);
  });
});
