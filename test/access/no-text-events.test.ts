import { afterAll, beforeAll, expect, test } from "bun:test";
import { requireBot } from "../../src/admin/bots.ts";
import { createToken } from "../../src/admin/tokens.ts";
import { COMMAND_LINE } from "../../src/audit/write.ts";
import { appendEvent } from "../../src/feed/append.ts";
import { notifyInstances, type Signal } from "../../src/feed/signals.ts";
import { EVENTS, type ServerEvent } from "../../src/wire/events.ts";
import { SCOPES } from "../../src/wire/scopes.ts";
import { Client, type Json } from "../support/client.ts";
import type { TestSocket } from "../support/socket.ts";
import { World } from "../support/world.ts";
import { eventually } from "../support/wait.ts";

/** No event brings a token without `read:messages` what others wrote; a token with it receives all. */

const TEXT = "marker-of-others";
const URL = `https://example.org/${TEXT}`;

let world: World;
let [ada, bob] = [] as unknown as [Client, Client];
/** One bot with two tokens, of which one may read. */
let [blind, reader] = [] as unknown as [Client, Client];
/** Sockets of both tokens, and one that has the room and the conversation open. */
let sockets: { blind: TestSocket; away: TestSocket; joined: TestSocket };
let [room, direct] = [] as unknown as [string, string];
beforeAll(async () => {
  world = await World.start();
  [ada, bob] = [await world.person("ada"), await world.person("bob")];
  blind = await world.bot("bot", ["write:messages", "manage:rooms"]);
  const values = { name: "reads", scopes: [...SCOPES], expiresAt: null };
  const { token } = await world.database.db.transaction(async (tx) =>
    createToken(tx, COMMAND_LINE, await requireBot(tx, blind.user.id), values),
  );
  reader = new Client(world.service.address, null, blind.user, token);
  room = await world.room("engines", ada, [blind]);
  direct = (await ada.post("/api/direct", { user_ids: [blind.user.id] })).body.id;
  sockets = {
    blind: await blind.socket(),
    away: await reader.socket(),
    joined: await reader.socket(),
  };
  await sockets.joined.join(room);
});
afterAll(() => world.stop());

type EventType = ServerEvent["type"];
/** What makes an event happen, and whether it then has text of others for a token that may read. */
type Cause = { hasText?: true; run(): unknown };

const signal = (one: Signal) => notifyInstances(world.database.db, one);
const say = (more: object = {}) => ada.say(room, `${TEXT} ${URL}`, more);
const botId = () => blind.user.id;
const send = (frame: object) => {
  for (const socket of Object.values(sockets)) socket.send({ ...frame });
};
async function pin(roomId: string): Promise<Json> {
  const message = await ada.say(roomId, TEXT);
  expect((await ada.put(`/api/messages/${message.id}/pin`, {})).status).toBe(200);
  return message;
}
async function newRoom(): Promise<string> {
  const id = await world.room(`room-${Bun.randomUUIDv7().slice(-8)}`, ada);
  await pin(id);
  await ada.post(`/api/rooms/${id}/members`, { user_id: botId() });
  return id;
}
async function inThread(): Promise<Json> {
  const root = await say();
  await say({ thread_id: root.id });
  return root;
}

const CAUSES: { [T in EventType]: Cause } = {
  message: { hasText: true, run: () => say() },
  message_update: {
    hasText: true,
    run: async () => ada.patch(`/api/messages/${(await say()).id}`, { content: `${TEXT} again` }),
  },
  message_delete: { run: async () => ada.delete(`/api/messages/${(await say()).id}`) },
  reaction: {
    run: async () => ada.post(`/api/messages/${(await say()).id}/reactions`, { emoji: "👍" }),
  },
  link_preview: {
    hasText: true,
    async run() {
      const { id } = await say();
      const { db, sql } = world.database;
      await sql`insert into link_previews (url_hash, url, title, expires_at)
        values (sha256(convert_to(${URL}, 'UTF8')), ${URL}, ${TEXT}, now() + interval '1 day')
        on conflict (url_hash) do update set title = excluded.title, has_failed = false`;
      await db.transaction((tx) => appendEvent(tx, room, { type: "link_preview", messageId: id }));
    },
  },
  pin: { hasText: true, run: () => pin(room) },
  thread: {
    hasText: true,
    run: async () =>
      ada.patch(`/api/messages/${(await inThread()).id}/thread`, { title: `${TEXT} title` }),
  },
  room_updated: { run: () => ada.patch(`/api/rooms/${room}`, { description: "of the room" }) },
  member_added: { run: () => ada.post(`/api/rooms/${room}/members`, { user_id: bob.user.id }) },
  member_removed: { run: () => ada.delete(`/api/rooms/${room}/members/${bob.user.id}`) },
  typing: { run: () => signal({ kind: "typing", user_id: ada.user.id, room_id: room }) },
  member_updated: { run: () => ada.patch("/api/auth/me", { display_name: "Ada" }) },

  unread: { run: () => say() },
  unread_changed: {
    run: async () => ada.patch(`/api/messages/${(await say()).id}`, { content: TEXT }),
  },
  direct_added: {
    hasText: true,
    async run() {
      await pin(direct);
      await signal({ kind: "direct_added", room_id: direct, user_ids: [botId()] });
    },
  },
  direct_updated: { hasText: true, run: () => pin(direct) },
  room_added: { hasText: true, run: newRoom },
  room_removed: {
    run: async () => ada.delete(`/api/rooms/${await newRoom()}/members/${botId()}`),
  },
  read: { run: () => blind.post(`/api/rooms/${room}/read`, {}) },
  thread_read: {
    async run() {
      const { id } = await inThread();
      await reader.put(`/api/messages/${id}/thread/follow`, { is_following: true });
      await say({ thread_id: id });
      await reader.post(`/api/messages/${id}/thread/read`, {});
    },
  },
  thread_follow: {
    run: async () =>
      reader.put(`/api/messages/${(await inThread()).id}/thread/follow`, { is_following: true }),
  },
  membership_updated: {
    hasText: true,
    async run() {
      await pin(room);
      await blind.patch(`/api/rooms/${room}/membership`, { notify: "mentions" });
    },
  },
  activity_updated: { run: () => signal({ kind: "activity_updated", user_id: botId() }) },
  team_updated: { run: () => signal({ kind: "team_updated" }) },
  // What a bot cannot keep over the API, and would be sent if it could.
  saved: {
    hasText: true,
    async run() {
      const { id } = await say();
      await world.database.sql`insert into saved_messages (user_id, message_id, room_id)
        values (${botId()}, ${id}, ${room})`;
      await signal({ kind: "saved_changed", user_id: botId(), message_id: id });
    },
  },
  scheduled: {
    async run() {
      const { id } = await say();
      const send_at = new Date(Date.now() + 3_600_000).toISOString();
      const scheduled = { room_id: room, content: "own", quote_id: id, send_at, zone: "UTC" };
      expect((await blind.post("/api/scheduled", scheduled)).status).toBe(201);
    },
  },
  scheduled_failed: {
    run: () =>
      signal({ kind: "scheduled_failed", user_id: botId(), id: "x", code: "room_archived" }),
  },
  draft: {
    run: () => signal({ kind: "draft_changed", user_id: botId(), room_id: room, thread_id: null }),
  },
  me_updated: { run: () => signal({ kind: "me_updated", user_id: botId() }) },
  sections_updated: {
    run: () => signal({ kind: "sections_updated", user_id: botId(), version: 1 }),
  },

  hello: {
    async run() {
      sockets.away.close();
      sockets.away = await reader.socket();
    },
  },
  joined: { run: () => send({ type: "join", room_id: room, seq: 0 }) },
  resync: { run: () => send({ type: "join", room_id: room, seq: 1_000_000 }) },
  left: { run: () => send({ type: "leave", room_id: room }) },
  ack: {
    hasText: true,
    async run() {
      const quoted = { type: "message", content: "own", room_id: room, quote_id: (await say()).id };
      for (const socket of Object.values(sockets)) {
        socket.send({ ...quoted, client_id: Bun.randomUUIDv7() });
      }
      await sockets.blind.next("ack");
    },
  },
  pong: { run: () => send({ type: "ping" }) },
  error: { run: () => send({ type: "delete", message_id: Bun.randomUUIDv7() }) },
};

/** What the sockets of the token that may read have received since an event was made to happen. */
type Since = () => Json[];
function sinceNow(): Since {
  const counts = new Map(Object.values(sockets).map((socket) => [socket, socket.heard.length]));
  return () =>
    [sockets.away, sockets.joined].flatMap((item) => item.heard.slice(counts.get(item) ?? 0));
}

/** Waits until a socket of the token that may read has received the event, with its text. */
async function expectHeard(type: EventType, hasText: boolean, since: Since): Promise<void> {
  const isIt = (event: Json) =>
    event.type === type && (!hasText || JSON.stringify(event).includes(TEXT));
  await eventually(() => since().some(isIt));
}

test.each(Object.keys(CAUSES) as EventType[])("%s", async (type) => {
  const { run, hasText } = CAUSES[type];
  const [since, before] = [sinceNow(), sockets.blind.heard.length];
  await run();
  await expectHeard(type, hasText ?? false, since);
  // What was sent to it before has arrived with the answer.
  await sockets.blind.drain();
  expect(JSON.stringify(sockets.blind.heard.slice(before))).not.toContain(TEXT);
});

test("it receives the same events as one that may read, without the text", async () => {
  const expected = (Object.keys(EVENTS) as EventType[]).filter((type) => {
    const { audience, ...more } = EVENTS[type];
    return audience === "user" || audience === "away" || "isAlsoAway" in more;
  });
  const heard = new Set(sockets.blind.heard.map(({ type }) => type));
  expect(expected.filter((type) => !heard.has(type))).toEqual([]);
  expect([...heard]).toEqual(expect.arrayContaining(["ack", "error", "pong"]));
  expect(JSON.stringify(sockets.blind.heard)).not.toContain(TEXT);
});

test("a join is refused, and a new socket brings nothing more", async () => {
  const socket = await blind.socket();
  socket.send({ type: "join", room_id: room, seq: 0 });
  expect(await socket.next("error")).toMatchObject({ code: "insufficient_scope" });
  await pin(room);
  expect(await socket.next("pin")).toMatchObject({
    newest_pin: null,
    pin_count: expect.any(Number),
  });
  expect(JSON.stringify(socket.heard)).not.toContain(TEXT);
  socket.close();
});
