import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { type Client, expectProblem } from "../../support/client.ts";
import { reply, threadOf, unreadOf } from "../../support/threads.ts";
import { World } from "../../support/world.ts";

/** Replies in a thread that their author follows, and what ends that. */

let world: World;
let ada: Client;
let bob: Client;
let room: string;
let root: { id: string; room_id: string };
let rooms = 0;
beforeAll(async () => {
  world = await World.start();
});
afterAll(() => world.stop());
/** Bob has replied twice, and follows. */
beforeEach(async () => {
  const n = rooms++;
  ada = await world.person(`ada${n}`, { displayName: "Ada" });
  bob = await world.person(`bob${n}`);
  room = await world.room(`room-${n}`, ada, [bob]);
  root = await ada.say(room, "the **root**");
  for (const text of ["1", "2"]) await reply(bob, root, text);
});

const summary = async () => (await threadOf(bob, root)).root.thread;
const post = (who: Client, content: string) =>
  who.post(`/api/rooms/${room}/messages`, { content, thread_id: root.id });

describe("a reply of someone who follows the thread", () => {
  test("shows and changes what any reply does", async () => {
    await reply(ada, root, "3");
    await ada.patch(`/api/messages/${root.id}/thread`, { title: "Wading", is_resolved: true });
    const away = await ada.socket();
    const open = await bob.socket();
    await open.join(room);
    const last = await reply(bob, root, "4");
    const { follow, root: shown } = await threadOf(bob, root);
    expect(shown.thread).toEqual({
      title: "Wading",
      reply_count: 4,
      last_reply_seq: last.seq,
      is_resolved: false,
      last_reply_at: last.created_at,
      author_ids: [bob.user.id, ada.user.id],
    });
    expect(follow).toMatchObject({ is_following: true, read_seq: last.seq });
    expect(last.root).toEqual({
      id: root.id,
      author: { id: ada.user.id, name: "Ada", profile_version: 0 },
      title: "Wading",
      excerpt: "the root",
    });
    const event = await open.next("message");
    expect(event).toMatchObject({ message: { root: last.root }, root_thread: shown.thread });
    expect(await away.next("unread")).toMatchObject({ seq: last.seq, thread_id: root.id });
    expect(await unreadOf(ada)).toEqual({ [root.id]: 1 });
    open.close();
    away.close();
  });

  test("is counted with others of its batch, and the last author comes first", async () => {
    const cleo = await world.person(`cleo${rooms}`);
    await ada.post(`/api/rooms/${room}/members`, { user_id: cleo.user.id });
    for (const who of [ada, cleo]) await reply(who, root, "here");
    const posted = await Promise.all(
      Array.from({ length: 30 }, (_, n) => reply([ada, bob, cleo][n % 3] as Client, root, `${n}`)),
    );
    const newest = posted.toSorted((a, b) => b.seq - a.seq);
    const authors = [...new Set(newest.map(({ author }) => author.id))];
    expect(await summary()).toMatchObject({
      reply_count: 34,
      last_reply_seq: newest[0]?.seq,
      author_ids: authors,
    });
    for (const who of [ada, bob, cleo]) {
      const own = newest.find(({ author }) => author.id === who.user.id);
      expect((await threadOf(who, root)).follow.read_seq).toBe(own?.seq ?? -1);
    }
  });

  test("moves its author's mark, however many follow", async () => {
    const others = await Promise.all(
      Array.from({ length: 12 }, (_, n) => world.person(`other${rooms}-${n}`)),
    );
    for (const who of others)
      await ada.post(`/api/rooms/${room}/members`, { user_id: who.user.id });
    for (const text of ["here", "again"]) for (const who of others) await reply(who, root, text);
    for (const who of [...others, bob]) {
      const read_seq = (await reply(who, root, "and again")).seq;
      const { follow } = await threadOf(who, root);
      expect(follow).toEqual({ is_following: true, read_seq, replied_seq: read_seq });
      expect(await unreadOf(who)).toEqual({});
    }
    const last = await reply(ada, root, "to all");
    for (const who of [...others, bob]) {
      const path = `/api/messages/${root.id}/thread`;
      expect(Object.keys(await unreadOf(who))).toEqual([root.id]);
      expect((await who.post(`${path}/read`)).body).toEqual({ read_seq: last.seq });
    }
  });

  test("moves a mark on that was moved back, and one that is moved back stays there", async () => {
    const path = `/api/messages/${root.id}/thread`;
    const { items } = await threadOf(bob, root);
    const back = { message_id: items[0]?.id };
    const { seq } = await reply(bob, root, "3");
    const marked = await bob.post(`${path}/unread`, back);
    expect(marked.body).toEqual({ read_seq: (items[0]?.seq ?? 0) - 1 });
    expect((await threadOf(bob, root)).follow).toMatchObject({
      ...marked.body,
      replied_seq: seq,
    });
    await reply(ada, root, "4");
    expect((await threadOf(bob, root)).follow).toMatchObject(marked.body);
    const later = await reply(bob, root, "5");
    expect((await threadOf(bob, root)).follow.read_seq).toBe(later.seq);
    // Pressing Follow once more answers what is so.
    const again = await bob.put(`${path}/follow`, { is_following: true });
    expect(again.body).toEqual({
      is_following: true,
      read_seq: later.seq,
      replied_seq: later.seq,
    });
    await reply(ada, root, "6");
    await bob.post(`/api/threads/read`);
    expect(await unreadOf(bob)).toEqual({});
    expect((await threadOf(bob, root)).follow.replied_seq).toBe(later.seq);
  });

  test("begins the thread again that has ended", async () => {
    const { items } = await threadOf(bob, root);
    for (const { id } of items) await bob.delete(`/api/messages/${id}`);
    expect(await summary()).toBe(null);
    const again = await reply(bob, root, "again");
    expect(await summary()).toMatchObject({ reply_count: 1, author_ids: [bob.user.id] });
    expect((await threadOf(ada, root)).follow).toEqual({
      is_following: true,
      read_seq: again.seq - 1,
      replied_seq: 0,
    });
  });

  test("is refused where the root was deleted, and after leaving the room", async () => {
    await ada.delete(`/api/messages/${root.id}`);
    expectProblem(await post(bob, "3"), 422, "unknown_thread");
    await ada.delete(`/api/rooms/${room}/members/${bob.user.id}`);
    expectProblem(await post(bob, "3"), 404, "room_not_found");
  });

  test("follows again, and says so, after unfollowing", async () => {
    const path = `/api/messages/${root.id}/thread/follow`;
    const elsewhere = await bob.socket();
    await bob.put(path, { is_following: false });
    await elsewhere.next((event) => event.type === "thread_follow" && !event.is_following);
    await elsewhere.drain();
    const { seq } = await reply(bob, root, "3");
    expect(await elsewhere.next("thread_follow")).toMatchObject({
      thread_id: root.id,
      is_following: true,
      read_seq: seq,
    });
    elsewhere.close();
  });
});

describe("a page of a thread", () => {
  test("has what happened since it was last read, and the author's client_id", async () => {
    const newest = async (who: Client) => {
      await threadOf(who, root);
      return threadOf(who, root);
    };
    const client_id = Bun.randomUUIDv7();
    const { id } = await reply(bob, root, "3", { client_id });
    expect((await newest(bob)).items.at(-1)).toMatchObject({ content: "3", client_id });
    expect((await newest(ada)).items.at(-1)).toMatchObject({ content: "3", client_id: null });
    await bob.patch(`/api/messages/${id}`, { content: "three" });
    expect((await newest(ada)).items.at(-1)).toMatchObject({ content: "three" });
    await ada.post(`/api/messages/${id}/reactions`, { emoji: "👍" });
    expect((await newest(bob)).items.at(-1)?.reactions).toMatchObject([{ count: 1 }]);
    await ada.patch("/api/auth/me", { display_name: "Ada L." });
    const { root: shown, items } = await newest(bob);
    expect(shown.author.display_name).toBe("Ada L.");
    expect(items.at(-1)?.root?.author.name).toBe("Ada L.");
    await ada.post(`/api/messages/${root.id}/thread/read`);
    expect((await newest(ada)).follow.read_seq).toBe(shown.thread?.last_reply_seq ?? -1);
    await bob.delete(`/api/messages/${id}`);
    expect((await newest(ada)).items.map(({ content }) => content)).toEqual(["1", "2"]);
  });

  test("names a private room for those alone who are in it", async () => {
    const secret = `secret-${rooms}`;
    await world.room(secret, bob);
    await reply(bob, root, `see #${secret}`);
    for (const [who, count] of [
      [bob, 1],
      [ada, 0],
      [bob, 1],
    ] as const) {
      expect((await threadOf(who, root)).items.at(-1)?.room_references).toHaveLength(count);
    }
  });
});
