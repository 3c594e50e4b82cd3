import { afterAll, beforeAll, expect, test } from "bun:test";
import { join } from "node:path";
import postgres, { type Sql } from "postgres";
import {
  checkPayload,
  FEED_CHANNEL,
  MAX_PAYLOAD_BYTES,
  SIGNAL_CHANNEL,
} from "../../src/feed/channels.ts";
import {
  FOLLOWS_PER_SIGNAL,
  IDS_PER_SIGNAL,
  type Signal,
  notifyInstances,
} from "../../src/feed/signals.ts";
import { runInsert } from "../../src/messages/insert.ts";
import { World } from "../support/world.ts";
import { eventually } from "../support/wait.ts";

let world: World;
let listener: Sql;
const heard: { channel: string; payload: string }[] = [];
beforeAll(async () => {
  world = await World.start();
  listener = postgres({ ...(world.target as object), max: 1 });
  for (const channel of [FEED_CHANNEL, SIGNAL_CHANNEL]) {
    await listener.listen(channel, (payload) => heard.push({ channel, payload }));
  }
});
afterAll(async () => {
  await listener.end();
  await world.stop();
});

const id = Bun.randomUUIDv7;
const at = new Date().toISOString();
const session_ids = Array.from({ length: IDS_PER_SIGNAL }, () => id());
/** Each kind with all its fields, as long as they can be; a kind that is missing does not compile. */
const LARGEST: { [K in Signal["kind"]]: Extract<Signal, { kind: K }> } = {
  room_added: { kind: "room_added", user_id: id(), room_id: id() },
  room_deleted: { kind: "room_deleted", room_id: id() },
  member_updated: { kind: "member_updated", user_id: id(), room_id: id() },
  membership_updated: { kind: "membership_updated", user_id: id(), room_id: id() },
  activity_updated: { kind: "activity_updated", user_id: id() },
  team_updated: { kind: "team_updated" },
  me_updated: { kind: "me_updated", user_id: id() },
  keywords_changed: { kind: "keywords_changed" },
  read: {
    kind: "read",
    user_id: id(),
    room_id: id(),
    mark: {
      last_read_at: at,
      last_read_seq: 1e15,
      room_seq: 1e15,
      unread: true,
      mention_count: 1_000,
      unread_count: 100,
      version: 1e15,
    },
  },
  direct_added: {
    kind: "direct_added",
    room_id: id(),
    user_ids: Array.from({ length: 9 }, () => id()),
  },
  direct_updated: {
    kind: "direct_updated",
    room_id: id(),
    user_ids: Array.from({ length: 9 }, () => id()),
  },
  direct_left: { kind: "direct_left", user_id: id(), room_id: id(), room_seq: 1e15 },
  sessions_ended: { kind: "sessions_ended", user_id: id(), session_ids, except: id() },
  token_revoked: { kind: "token_revoked", user_id: id(), token_id: id() },
  thread_read: {
    kind: "thread_read",
    user_id: id(),
    thread_id: id(),
    read_seq: 1e15,
    replied_seq: 1e15,
  },
  thread_follow: {
    kind: "thread_follow",
    user_id: id(),
    thread_id: id(),
    is_following: false,
    read_seq: 1e15,
    replied_seq: 1e15,
  },
  threads_followed: {
    kind: "threads_followed",
    follows: Array.from({ length: FOLLOWS_PER_SIGNAL }, () => [id(), id(), 1e15, 1e15]),
  },
  saved_changed: { kind: "saved_changed", user_id: id(), message_id: id() },
  scheduled_changed: { kind: "scheduled_changed", user_id: id(), ids: session_ids },
  scheduled_failed: {
    kind: "scheduled_failed",
    user_id: id(),
    id: id(),
    code: "conversation_closed",
  },
  draft_changed: { kind: "draft_changed", user_id: id(), room_id: id(), thread_id: id() },
  sections_updated: { kind: "sections_updated", user_id: id(), version: 1e15 },
  typing: { kind: "typing", user_id: id(), room_id: id() },
};

/** Waits until a notification that was sent after all others has come. */
async function untilHeard(): Promise<void> {
  const mark = id();
  await world.database.sql`select pg_notify(${SIGNAL_CHANNEL}, ${`"${mark}"`})`;
  await eventually(() => heard.some(({ payload }) => payload.includes(mark)));
}

test.each(Object.values(LARGEST).map((item) => [item.kind, item] as const))(
  "a signal %s at its largest is delivered",
  async (_, largest) => {
    await notifyInstances(world.database.db, largest);
    await untilHeard();
    expect(heard.map(({ payload }) => payload)).toContain(JSON.stringify(largest));
  },
);

const newMessage = (author_id: string, room_id: string, content: string) => ({
  id: id(),
  room_id,
  author_id,
  content,
  session_id: null,
  token_id: null,
  scheduled_id: null,
  via_webhook_id: null,
  client_id: null,
  edited_at: null,
  via_name: null,
  via_icon_emoji: null,
  image_id: null,
  file_id: null,
  image_alt: null,
  group_id: null,
  reply_to_id: null,
  quote_id: null,
  preview_url: null,
  usernames: [],
  room_names: [],
  broadcast: null,
  clears_draft: false,
});

test("hints of many rooms with the longest numbers are split into payloads that fit", async () => {
  const { sql } = world.database;
  const owner = await world.person("owner");
  const ROOMS = 500;
  const seq = Number.MAX_SAFE_INTEGER - 10;
  const rooms = await sql<{ id: string }[]>`
    insert into rooms (id, name, privacy, last_seq)
    select gen_random_uuid(), 'many-' || n, 'open', ${seq}
    from generate_series(1, ${ROOMS}::int) as s(n) returning id`;
  await sql`insert into memberships (room_id, user_id, role)
    select id, ${owner.user.id}, 'owner' from rooms`;
  const instance = id();
  await runInsert(
    sql,
    instance,
    rooms.map((room) => newMessage(owner.user.id, room.id, "a word")),
  );
  await untilHeard();
  const payloads = heard
    .filter(({ payload }) => payload.startsWith(instance))
    .map(({ payload }) => payload);
  const named = payloads.flatMap((payload) => payload.split(" ").slice(1));
  expect(named.toSorted()).toEqual(rooms.map((room) => `${room.id}:${seq + 1}:room`).toSorted());
  for (const payload of payloads) expect(payload.length).toBeLessThanOrEqual(MAX_PAYLOAD_BYTES);
});

test("a payload that is too large is refused before it is sent", () => {
  expect(checkPayload("x".repeat(MAX_PAYLOAD_BYTES))).toHaveLength(MAX_PAYLOAD_BYTES);
  expect(() => checkPayload("é".repeat(MAX_PAYLOAD_BYTES / 2 + 1))).toThrow("too large");
});

test("only the feed, the queue and the writing of messages notify", async () => {
  const root = join(import.meta.dir, "../..");
  const senders: string[] = [];
  for await (const file of new Bun.Glob("{src,jobs}/**/*.ts").scan(root)) {
    if ((await Bun.file(join(root, file)).text()).includes("pg_notify(")) senders.push(file);
  }
  // The queue's payloads are empty; those of messages are held above.
  expect(senders.filter((file) => !file.startsWith("src/jobs-queue/")).toSorted()).toEqual([
    // Here and where messages are written: ids of one author's scheduled messages, of which at most 100 wait.
    "src/authentication/block-scheduled.ts",
    "src/feed/append.ts",
    "src/feed/listen.ts",
    "src/feed/signals.ts",
    "src/messages/insert.ts",
  ]);
});
