import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { pruneFollows } from "../../../src/messages/thread-changes.ts";
import type { SqlClient } from "../../../src/database/connect.ts";
import { readThread } from "../../../src/messages/threads.ts";
import { type Client, expectProblem } from "../../support/client.ts";
import { reply, threadOf, threadsOf, unreadOf } from "../../support/threads.ts";
import { World } from "../../support/world.ts";

let world: World;
let ada: Client;
let bob: Client;
let cara: Client;
let room: string;
let name: string;
let rooms = 0;
beforeAll(async () => {
  world = await World.start();
});
afterAll(() => world.stop());
beforeEach(async () => {
  const n = rooms++;
  ada = await world.person(`ada${n}`);
  bob = await world.person(`bob${n}`);
  cara = await world.person(`cara${n}`);
  name = `room-${n}`;
  room = await world.room(name, ada, [bob, cara]);
});

const followOf = async (who: Client, root: { id: string }) => (await threadOf(who, root)).follow;
const follow = (who: Client, { id }: { id: string }, is_following: boolean) =>
  who.put(`/api/messages/${id}/thread/follow`, { is_following });
const NO = { is_following: false, read_seq: null, replied_seq: 0 };

describe("one follows a thread", () => {
  test("as the author of its root, by replying and by being mentioned, nobody else", async () => {
    const dan = await world.person("dan");
    await ada.post(`/api/rooms/${room}/members`, { user_id: dan.user.id });
    const root = await ada.say(room, `@${cara.user.username} shall we?`);
    expect(await followOf(ada, root)).toEqual(NO);
    const message = await reply(bob, root, "yes");
    expect(await followOf(ada, root)).toMatchObject({
      is_following: true,
      read_seq: message.seq - 1,
    });
    expect(await followOf(cara, root)).toMatchObject({
      is_following: true,
      read_seq: message.seq - 1,
    });
    expect(await followOf(bob, root)).toEqual({
      is_following: true,
      read_seq: message.seq,
      replied_seq: message.seq,
    });
    expect(await followOf(dan, root)).toEqual(NO);
    const two = await reply(ada, root, "@dan?");
    expect(await followOf(dan, root)).toMatchObject({ is_following: true, read_seq: two.seq - 1 });
    expect(await followOf(ada, root)).toMatchObject({ is_following: true, read_seq: two.seq });
    const [rows] = await world.database.sql`select count(*)::int as count from thread_follows
      where thread_id = ${root.id}`;
    expect(rows?.count).toBe(4);
  });

  test("and a page's number includes no reply that its follow does not", async () => {
    const root = await ada.say(room, "root");
    await reply(bob, root, "one");
    const { sql } = world.database;
    let late: { seq: number } | null = null;
    // Bob replies once his follow was read, and before the rest of the page is.
    const pausing = ((strings: TemplateStringsArray, ...values: []) => {
      const query = sql(strings, ...values);
      if (!strings.join().includes("as targets(viewer_id")) return query;
      return query.then(async (rows) => {
        late = await reply(bob, root, "late");
        return rows;
      });
    }) as unknown as SqlClient;
    const client = Object.assign(pausing, { unsafe: sql.unsafe.bind(sql) });
    const page = await readThread(client, bob.user.id, root.id, { limit: 50 });
    expect(page.items.map(({ content }) => content)).toEqual(["one", "late"]);
    const lateSeq = (late as { seq: number } | null)?.seq ?? 0;
    expect(page.follow.replied_seq).toBeLessThan(lateSeq);
    expect(page.seq).toBeLessThan(lateSeq);
  });

  test("not by a mention that an edit adds", async () => {
    const root = await ada.say(room, "root");
    const message = await reply(bob, root, "one");
    await bob.patch(`/api/messages/${message.id}`, { content: `@${cara.user.username}` });
    expect(await followOf(cara, root)).toEqual(NO);
  });

  test("until one unfollows, which lasts until one is mentioned or replies", async () => {
    const root = await ada.say(room, "root");
    await reply(bob, root, "one");
    expect((await follow(ada, root, false)).body).toEqual(NO);
    await reply(bob, root, "two");
    expect(await followOf(ada, root)).toEqual(NO);
    expect(await unreadOf(ada)).toEqual({});
    const three = await reply(bob, root, `@${ada.user.username}, come back`);
    expect(await followOf(ada, root)).toMatchObject({
      is_following: true,
      read_seq: three.seq - 1,
    });
    expect(await unreadOf(ada)).toEqual({ [root.id]: 1 });
    await follow(ada, root, false);
    const four = await reply(ada, root, "here");
    expect(await followOf(ada, root)).toMatchObject({ is_following: true, read_seq: four.seq });
  });

  test("by pressing Follow, read up to the last reply, on all devices at once", async () => {
    const root = await ada.say(room, "root");
    expectProblem(await follow(cara, root, true), 409, "no_thread");
    const message = await reply(bob, root, "one");
    const device = await cara.socket();
    expect((await follow(cara, message, true)).body).toMatchObject({
      is_following: true,
      read_seq: message.seq,
    });
    expect(await device.next("thread_follow")).toMatchObject({
      type: "thread_follow",
      thread_id: root.id,
      is_following: true,
      read_seq: message.seq,
    });
    expect((await follow(cara, message, true)).body).toMatchObject({
      is_following: true,
      read_seq: message.seq,
    });
    const other = await ada.socket();
    const two = await reply(bob, root, `@${ada.user.username} and all`);
    await reply(ada, root, "yes");
    // That a reply has read the thread, its author's screens see in what tells of the reply.
    const own = (one: { type: string; author_id?: string }) =>
      one.type === "unread" && one.author_id === ada.user.id;
    expect(await other.next(own)).toMatchObject({ thread_id: root.id });
    expect(await unreadOf(cara)).toEqual({ [root.id]: 2 });
    expect(two.seq).toBeGreaterThan(message.seq);
    for (const socket of [device, other]) socket.close();
  });

  test("no longer after leaving or being removed; it goes on after coming back afresh", async () => {
    const root = await ada.say(room, "root");
    await reply(bob, root, "one");
    await reply(cara, root, "two");
    await bob.post(`/api/rooms/${room}/leave`);
    await ada.delete(`/api/rooms/${room}/members/${cara.user.id}`);
    await reply(ada, root, "three");
    const rows = await world.database.sql`select user_id from thread_follows
      where thread_id = ${root.id}`;
    expect(rows).toMatchObject([{ user_id: ada.user.id }]);
    for (const who of [bob, cara]) expect(await threadsOf(who)).toEqual([]);
    await ada.post(`/api/rooms/${room}/members`, { user_id: bob.user.id });
    expect(await followOf(bob, root)).toEqual(NO);
  });

  test("for as long as someone replies now and then: half a year later nobody does", async () => {
    const [old, young] = [await ada.say(room, "old"), await ada.say(room, "young")];
    for (const root of [old, young]) await reply(bob, root, "one");
    const { sql } = world.database;
    await sql`update threads set last_reply_at = now() - interval '181 days'
      where message_id = ${old.id}`;
    await pruneFollows(sql, new AbortController().signal);
    expect(await followOf(ada, old)).toEqual(NO);
    expect(await followOf(ada, young)).toMatchObject({ is_following: true });
    const two = await reply(bob, old, `@${ada.user.username}, do you remember?`);
    expect(await followOf(ada, old)).toMatchObject({ is_following: true, read_seq: two.seq - 1 });
  });

  test("of a webhook's message only by replying: its creator does not", async () => {
    const path = `/api/rooms/${room}/incoming-webhooks`;
    const { body: hook } = await ada.post(path, { name: "Builds" });
    await ada.post(new URL(hook.url).pathname, { text: "failed" });
    const { body } = await bob.get(`/api/rooms/${room}/messages`);
    await reply(bob, body.items[0], "on it");
    const thread = await threadOf(ada, body.items[0]);
    expect(thread.follow).toEqual(NO);
    expect(thread.root.thread?.author_ids).toEqual([bob.user.id]);
  });
});

describe("what is unread", () => {
  test("is what others wrote after the mark, which reading moves on and marking moves back", async () => {
    const root = await ada.say(room, "root");
    const [one, two] = [await reply(bob, root, "one"), await reply(bob, root, "two")];
    await reply(cara, root, "three");
    expect(await unreadOf(ada)).toEqual({ [root.id]: 3 });
    expect(await unreadOf(bob)).toEqual({ [root.id]: 1 });
    const device = await ada.socket();
    const read = (body?: object) => ada.post(`/api/messages/${root.id}/thread/read`, body);
    const unread = (message_id: string) =>
      ada.post(`/api/messages/${root.id}/thread/unread`, { message_id });
    expect((await read({ seq: two.seq })).body).toEqual({ read_seq: two.seq });
    expect(await device.next("thread_read")).toMatchObject({
      type: "thread_read",
      thread_id: root.id,
      read_seq: two.seq,
    });
    expect(await unreadOf(ada)).toEqual({ [root.id]: 1 });
    expect((await read({ seq: one.seq })).body).toEqual({ read_seq: two.seq });
    const last = (await threadOf(ada, root)).root.thread?.last_reply_seq;
    expect((await read({ seq: 9_999_999 })).body).toEqual({ read_seq: last });
    expect(await unreadOf(ada)).toEqual({});
    expect((await unread(two.id)).body).toEqual({ read_seq: two.seq - 1 });
    expect(await unreadOf(ada)).toEqual({ [root.id]: 2 });
    const far = await reply(bob, root, "four");
    expect((await unread(far.id)).body).toEqual({ read_seq: two.seq - 1 });
    const stranger = await ada.say(room, "elsewhere");
    expectProblem(await unread(stranger.id), 404, "message_not_found");
    expect((await read()).body).toEqual({ read_seq: far.seq });
    // Who does not follow a thread has no mark in it.
    const body = (await cara.post(`/api/messages/${stranger.id}/thread/read`, {})).body;
    expect(body).toEqual({ read_seq: null });
    device.close();
  });

  test("counts in a muted room too, and not in one that is done until the next reply", async () => {
    const root = await ada.say(room, "root");
    await ada.patch(`/api/rooms/${room}/membership`, { notify: "none" });
    await reply(bob, root, "one");
    expect(await unreadOf(ada)).toEqual({ [root.id]: 1 });
    await bob.patch(`/api/messages/${root.id}/thread`, { is_resolved: true });
    expect(await unreadOf(ada)).toEqual({});
    expect(await threadsOf(ada)).toMatchObject([{ unread_count: 0 }]);
    await reply(bob, root, "two");
    expect(await unreadOf(ada)).toEqual({ [root.id]: 2 });
    expect((await threadOf(ada, root)).root.thread?.is_resolved).toBe(false);
  });

  test("is ended for all threads of a room or of all rooms, each told once", async () => {
    const other = await world.room(`${name}-b`, ada, [bob]);
    const roots = [await ada.say(room, "a"), await ada.say(room, "b"), await ada.say(other, "c")];
    for (const root of roots) await reply(bob, root, "news");
    const device = await ada.socket();
    expect((await ada.post("/api/threads/read", { room_id: room })).status).toBe(204);
    const heard = [await device.next("thread_read"), await device.next("thread_read")];
    expect(heard.map(({ thread_id }) => thread_id).toSorted()).toEqual(
      [roots[0].id, roots[1].id].toSorted(),
    );
    expect(Object.keys(await unreadOf(ada))).toEqual([roots[2].id]);
    expect((await ada.post("/api/threads/read")).status).toBe(204);
    expect(await device.next("thread_read")).toMatchObject({ thread_id: roots[2].id });
    expect(await unreadOf(ada)).toEqual({});
    const hidden = await world.room(`${name}-c`, bob);
    const answer = await ada.post("/api/threads/read", { room_id: hidden });
    expectProblem(answer, 404, "room_not_found");
    device.close();
  });
});

describe("the list of threads", () => {
  test("has those that one follows, all of a room, or what is unread, in pages", async () => {
    const roots: { id: string; room_id: string }[] = [];
    for (let n = 0; n < 5; n++) {
      const root = await ada.say(room, `root ${n}`);
      await reply(n % 2 ? cara : bob, root, "one");
      roots.push(root);
    }
    const at = (n: number) => roots[n] as { id: string; room_id: string };
    await reply(cara, at(1), "again");
    const ids = (items: { root: { id: string } }[]) => items.map(({ root }) => root.id);
    const order = [1, 4, 3, 2, 0].map((n) => at(n).id);
    expect(ids(await threadsOf(ada))).toEqual(order);
    expect(ids(await threadsOf(bob))).toEqual([4, 2, 0].map((n) => at(n).id));
    expect(ids(await threadsOf(bob, `?filter=room&room_id=${room}`))).toEqual(order);
    expect(ids(await threadsOf(ada, "?filter=unread"))).toEqual(order);
    for (const query of ["", "filter=unread", `filter=room&room_id=${room}`]) {
      const found: string[] = [];
      let cursor = "";
      do {
        const { body } = await ada.get(`/api/threads?limit=2&${query}${cursor}`);
        found.push(...ids(body.items));
        cursor = body.next && `&cursor=${body.next}`;
      } while (cursor);
      expect(found).toEqual(order);
    }
    const [first] = await threadsOf(ada);
    expect(first).toMatchObject({
      root: { content: "root 1", thread: { reply_count: 2 } },
      room: { id: room, name },
      unread_count: 2,
    });
    expect(first).not.toHaveProperty("last_reply");
    const [, second] = await threadsOf(ada, "?last_reply=true");
    const withReply = await threadsOf(ada, `?filter=room&room_id=${room}&last_reply=true`);
    expect(withReply[0]?.last_reply).toMatchObject({ content: "again", thread_id: at(1).id });
    expect(second?.last_reply).toMatchObject({ content: "one", thread_id: second?.root.id });
    expectProblem(await ada.get("/api/threads?filter=room"), 422, "validation");
    expectProblem(await ada.get("/api/threads?cursor=x"), 422, "validation");
  });
});

describe("a title, and whether it is done", () => {
  const change = (who: Client, { id }: { id: string }, body: object) =>
    who.patch(`/api/messages/${id}/thread`, body);

  test("are on the root and its replies", async () => {
    const root = await ada.say(room, "root");
    expectProblem(await change(ada, root, { title: "x" }), 409, "no_thread");
    const message = await reply(bob, root, "one");
    const answer = await change(ada, message, { title: "  Deploy on Friday ", is_resolved: true });
    expect(answer.body).toMatchObject({ title: "Deploy on Friday", is_resolved: true });
    const response = await bob.get(`/api/messages/${message.id}`);
    expect(response.body.root).toMatchObject({ title: "Deploy on Friday", excerpt: "root" });
    const { body } = await bob.get(`/api/rooms/${room}/changes?after=${message.seq}`);
    expect(body.items).toMatchObject([
      { type: "thread", message_id: root.id, thread: answer.body },
    ]);
    // Nothing changes, nothing is announced.
    await change(ada, root, { title: "Deploy on Friday", is_resolved: true });
    expect(
      (await bob.get(`/api/rooms/${room}/changes?after=${message.seq}`)).body.items,
    ).toHaveLength(1);
    expect((await change(ada, root, { title: null })).body.title).toBe(null);
  });

  test("are the author's and the admins', and everyone's", async () => {
    const root = await bob.say(room, "root");
    await reply(cara, root, "one");
    expectProblem(await change(cara, root, { title: "x" }), 403, "role_required");
    expect((await change(cara, root, { is_resolved: true })).status).toBe(200);
    expect((await change(bob, root, { title: "Bob's" })).status).toBe(200);
    expect((await change(ada, root, { title: "Ada's" })).status).toBe(200);
    for (const title of ["x".repeat(121), "a\nb", "\u200b", "\u202ereversed"]) {
      expectProblem(await change(ada, root, { title }), 422, "validation");
    }
    expect((await change(ada, root, { title: "😀".repeat(120) })).status).toBe(200);
  });

  test("stay as they are in an archived room, whose threads are read and followed", async () => {
    const root = await ada.say(room, "root");
    const message = await reply(bob, root, "one");
    await world.archive(name, true);
    expectProblem(await change(ada, root, { title: "x" }), 409, "room_archived");
    expectProblem(await change(ada, root, { is_resolved: true }), 409, "room_archived");
    const post = { content: "x", thread_id: root.id };
    expectProblem(await bob.post(`/api/rooms/${room}/messages`, post), 409, "room_archived");
    expect((await threadOf(bob, root)).items).toMatchObject([{ id: message.id }]);
    expect((await ada.post(`/api/messages/${root.id}/thread/read`)).body.read_seq).toBe(
      message.seq,
    );
    expect((await follow(cara, root, true)).status).toBe(200);
  });
});
