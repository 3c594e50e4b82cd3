import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import type { State } from "../../public/app/state/model.ts";
import type { Store } from "../../public/app/state/store.ts";
import { append } from "../../src/feed/append.ts";
import { deleteRoom } from "../../src/rooms/change.ts";
import type { Client } from "../support/client.ts";
import { openRoom, openStore, until } from "../support/store.ts";
import { World } from "../support/world.ts";

let world: World;
let ada: Client;
let bob: Client;
beforeAll(async () => {
  world = await World.start();
  ada = await world.person("ada");
  bob = await world.person("bob");
});
afterAll(() => world.stop());

/** What a screen shows of the state, without what passes by itself. */
function visible(state: State, roomId: string) {
  const view = state.views[roomId];
  return {
    me: state.me,
    rooms: state.rooms,
    messages: view?.messages,
    seq: view?.seq,
    // Presence is gathered, and follows by itself.
    members: view?.members?.map(({ user, role, joined_at }) => ({ user, role, joined_at })),
  };
}

let roomId: string;
let live: Store;
let rooms = 0;
beforeEach(async () => {
  roomId = await world.room(`room-${rooms++}`, ada, [bob], "open");
  live = await look(bob);
});

/** A store that looks at the room, with all that it shows loaded. */
async function look(client: Client): Promise<Store> {
  const store = openStore(() => client.base, client.cookie as string);
  await openRoom(store, roomId);
  await store.sync.history.loadMembers(roomId);
  return store;
}

/** The heart of it: applying what happened gives what loading afresh gives. */
async function expectFresh(): Promise<void> {
  await live.sync.history.loadMembers(roomId);
  const fresh = await look(await world.signIn(bob.user));
  expect(visible(live.state.value, roomId)).toEqual(visible(fresh.state.value, roomId));
}

/** What the sidebar says of a room. */
const marksOf = (state: State, id = roomId) => {
  const { unread, mention_count } = state.rooms?.[id]?.membership ?? {};
  return { unread, mention_count };
};

const textsOf = (state: State) => state.views[roomId]?.messages.map((message) => message.content);

describe("state after an event equals state loaded afresh", () => {
  test("message", async () => {
    await ada.say(roomId, "hello");
    await until(live, (state) => textsOf(state)?.[0] === "hello");
    expect(live.state.value.rooms?.[roomId]?.membership?.unread).toBe(true);
    await expectFresh();
  });

  test("message of one's own, by ack and by envelope, once", async () => {
    live.post(roomId, "mine");
    await until(live, (state, outbox) => textsOf(state)?.length === 1 && outbox.length === 0);
    await until(live, (state) => state.rooms?.[roomId]?.last_message_at !== null);
    expect(live.state.value.rooms?.[roomId]?.membership?.unread).toBe(false);
    await expectFresh();
  });

  test("message_update", async () => {
    const { id } = await ada.say(roomId, "befor");
    await ada.patch(`/api/messages/${id}`, { content: "before" });
    await until(live, (state) => textsOf(state)?.[0] === "before");
    await expectFresh();
  });

  test("message_delete", async () => {
    const { id } = await ada.say(roomId, "gone");
    await ada.say(roomId, "stays");
    await until(live, (state) => textsOf(state)?.length === 2);
    await ada.delete(`/api/messages/${id}`);
    await until(live, (state) => textsOf(state)?.length === 1);
    expect(textsOf(live.state.value)).toEqual(["stays"]);
    await expectFresh();
  });

  test("message_delete of all that was unread", async () => {
    const { id } = await ada.say(roomId, "@bob, gone");
    await until(live, (state) => marksOf(state).mention_count === 1);
    await ada.delete(`/api/messages/${id}`);
    await until(live, (state) => textsOf(state)?.length === 0);
    expect(marksOf(live.state.value)).toEqual({ unread: false, mention_count: 0 });
    await expectFresh();
  });

  test("message with mentions and references, of oneself too", async () => {
    await ada.say(roomId, `@bob and @ada, see #room-${rooms - 1}`);
    await bob.say(roomId, "@bob is me");
    await ada.say(roomId, "no one");
    await until(live, (state) => textsOf(state)?.length === 3);
    expect(marksOf(live.state.value)).toEqual({ unread: true, mention_count: 1 });
    await expectFresh();
  });

  test("message_update that names me, and one that no longer does", async () => {
    const { id } = await ada.say(roomId, "you");
    await until(live, (state) => textsOf(state)?.length === 1);
    await ada.patch(`/api/messages/${id}`, { content: "@bob" });
    await until(live, (state) => textsOf(state)?.[0] === "@bob");
    expect(marksOf(live.state.value)).toEqual({ unread: true, mention_count: 1 });
    await expectFresh();
    await ada.patch(`/api/messages/${id}`, { content: "nobody" });
    await until(live, (state) => textsOf(state)?.[0] === "nobody");
    await expectFresh();
  });

  test("reaction, and its end", async () => {
    const { id } = await ada.say(roomId, "well?");
    const reactionsOf = (state: State) => state.views[roomId]?.messages[0]?.reactions;
    await ada.post(`/api/messages/${id}/reactions`, { emoji: "👍" });
    await bob.post(`/api/messages/${id}/reactions`, { emoji: "🎉" });
    await until(live, (state) => reactionsOf(state)?.length === 2);
    await expectFresh();
    await ada.post(`/api/messages/${id}/reactions`, { emoji: "👍" });
    await until(live, (state) => reactionsOf(state)?.length === 1);
    await expectFresh();
  });

  test("link_preview", async () => {
    const url = `https://example.invalid/${rooms}`;
    const { sql } = world.database;
    const messageOf = (state: State) => state.views[roomId]?.messages[0];
    const { id } = await ada.say(roomId, "a link");
    // Not by posting it: no job is then under way that would tell of it too.
    await sql`update messages set preview_url = ${url}, has_embeds = true where id = ${id}`;
    await sql`insert into link_previews (url_hash, url, title, expires_at) values
      (sha256(convert_to(${url}, 'UTF8')), ${url}, 'First', clock_timestamp() + interval '1 day')`;
    live = await look(await world.signIn(bob.user));
    expect(messageOf(live.state.value)?.preview?.title).toBe("First");
    await sql`update link_previews set title = 'Found' where url = ${url}`;
    await world.database.db.transaction((tx) =>
      append(tx, roomId, { type: "link_preview", messageId: id }),
    );
    await until(live, (state) => messageOf(state)?.preview?.title === "Found");
    await expectFresh();
  });

  test("room_updated: a new name, an archive", async () => {
    await ada.patch(`/api/rooms/${roomId}`, { name: `renamed-${rooms}`, description: "new" });
    await until(live, (state) => state.rooms?.[roomId]?.description === "new");
    await world.archive(`renamed-${rooms}`, true);
    await until(live, (state) => state.rooms?.[roomId]?.is_archived === true);
    await expectFresh();
  });

  test("member_added and member_removed", async () => {
    const username = `carol-${rooms}`;
    const carol = await world.person(username);
    await ada.post(`/api/rooms/${roomId}/members`, { username });
    await until(live, (state) => state.rooms?.[roomId]?.member_count === 3);
    await expectFresh();
    await ada.delete(`/api/rooms/${roomId}/members/${carol.user.id}`);
    await until(live, (state) => state.rooms?.[roomId]?.member_count === 2);
    await expectFresh();
  });

  test("read, from another screen", async () => {
    await ada.say(roomId, "news");
    await until(live, (state) => state.rooms?.[roomId]?.membership?.unread === true);
    await bob.post(`/api/rooms/${roomId}/read`);
    await until(live, (state) => state.rooms?.[roomId]?.membership?.unread === false);
    await expectFresh();
  });

  test("unread, in a room that is not looked at", async () => {
    const other = await world.room(`other-${rooms}`, ada, [bob]);
    await until(live, (state) => state.rooms?.[other] !== undefined);
    await ada.say(other, "psst");
    await until(live, (state) => state.rooms?.[other]?.membership?.unread === true);
    await expectFresh();
  });

  test("unread with mentions among others, in a room that is not looked at", async () => {
    const other = await world.room(`named-${rooms}`, ada, [bob]);
    await until(live, (state) => state.rooms?.[other] !== undefined);
    const texts = Array.from({ length: 20 }, (_, i) => (i % 3 ? "@ada, not you" : "@bob, look"));
    await Promise.all(texts.map((text) => ada.say(other, text)));
    const last = await ada.say(other, "the last");
    await until(
      live,
      (state) =>
        marksOf(state, other).mention_count === 7 &&
        state.rooms?.[other]?.last_message_at === last.created_at,
    );
    await expectFresh();
  });

  test("read up to a message, with more after it", async () => {
    const first = await ada.say(roomId, "@bob one");
    await ada.say(roomId, "@bob two");
    await bob.say(roomId, "mine");
    await until(live, (state) => textsOf(state)?.length === 3);
    await bob.post(`/api/rooms/${roomId}/read`, { message_id: first.id });
    await until(live, (state) => marksOf(state).mention_count === 1);
    await expectFresh();
  });

  test("room_added and room_removed", async () => {
    const other = await world.room(`brief-${rooms}`, ada, [bob]);
    await until(live, (state) => state.rooms?.[other] !== undefined);
    await expectFresh();
    await deleteRoom(world.database.db, ada.user.id, other);
    await until(live, (state) => state.rooms?.[other] === undefined);
    await expectFresh();
  });

  test("me_updated", async () => {
    await bob.patch("/api/auth/me", { display_name: `Bob ${rooms}` });
    await until(live, (state) => state.me?.display_name === `Bob ${rooms}`);
    await expectFresh();
  });
});

describe("a page that was away", () => {
  test("catches up with its number and ends with the stored list", async () => {
    await ada.say(roomId, "seen");
    await until(live, (state) => textsOf(state)?.length === 1);
    live.sync.setHidden(true);
    const { id } = await ada.say(roomId, "missed");
    await ada.say(roomId, "missed too");
    await ada.patch(`/api/messages/${id}`, { content: "missed, edited" });
    live.sync.setHidden(false);
    await until(live, (state) => textsOf(state)?.length === 3);
    expect(textsOf(live.state.value)).toEqual(["seen", "missed, edited", "missed too"]);
  });
});
