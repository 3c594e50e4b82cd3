import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { enqueuePushes } from "../../src/push/queue.ts";
import type { Client } from "../support/client.ts";
import { PNG } from "../support/images.ts";
import { World } from "../support/world.ts";
import {
  OUTSIDE,
  PushService,
  queued,
  runPushes,
  sayAndPush,
  SETTINGS,
  subscribed,
  type TestBrowser,
} from "./support.ts";
import { eventually } from "../support/wait.ts";

/** Each day, the whole day. */
const ALWAYS = {
  time_zone: "Pacific/Auckland",
  days: Array.from({ length: 7 }, () => ({ from: "00:00", to: "00:00" })),
};

let world: World;
let service: PushService;
let ada: Client;
let bob: Client;
let eve: Client;
let room: string;
let browsers: { ada: TestBrowser; bob: TestBrowser; eve: TestBrowser };
let count = 0;

beforeAll(async () => {
  service = new PushService();
  world = await World.start(SETTINGS, OUTSIDE);
});
afterAll(async () => {
  await world.stop();
  await service.stop();
});

/** Ada writes, a test is about Bob, and Eve is notified of everything. */
beforeEach(async () => {
  const n = count++;
  ada = await world.person(`ada${n}`, { displayName: "Ada Lovelace" });
  bob = await world.person(`bob${n}`);
  eve = await world.person(`eve${n}`);
  room = await world.room(`snug-${n}`, ada, [bob, eve]);
  browsers = {
    ada: await subscribed(service, ada),
    bob: await subscribed(service, bob),
    eve: await subscribed(service, eve),
  };
});
afterEach(() => service.reset());

const say = (content: string, meanwhile?: (messageId: string) => unknown) =>
  sayAndPush(world, ada, room, content, meanwhile);
/** Eve's push shows that notifications of the message were sent; returns those that Bob got. */
async function bobHeard(): Promise<string[]> {
  expect(await browsers.eve.bodies()).toHaveLength(1);
  return browsers.bob.bodies();
}

describe("a notification reads", () => {
  test("'<sender>: <text>', with where it leads", async () => {
    const id = await say("The fire is *lit*");
    const name = `snug-${count - 1}`;
    expect(await browsers.bob.payloads()).toMatchObject([
      {
        type: "message",
        title: `#${name}`,
        body: "Ada Lovelace: The fire is lit",
        path: `/rooms/${name}/m/${id}`,
        room_id: room,
        message_id: id,
        mention: false,
        created_at: expect.stringMatching(/Z$/),
      },
    ]);
  });

  test("'<sender> mentioned you: <text>' only for people who are mentioned", async () => {
    await say(`@${bob.user.username} come in`);
    expect(await browsers.bob.payloads()).toMatchObject([
      { body: `Ada Lovelace mentioned you: @${bob.user.username} come in`, mention: true },
    ]);
    expect(await browsers.eve.bodies()).toEqual([`Ada Lovelace: @${bob.user.username} come in`]);
  });

  test("with the username where there is no display name", async () => {
    await sayAndPush(world, bob, room, "Good evening");
    expect(await browsers.ada.bodies()).toEqual([`${bob.user.username}: Good evening`]);
  });

  test.each(["image", "file"] as const)("'<sender> sent an %s' for one alone", async (kind) => {
    await postUpload(kind);
    expect(await browsers.bob.bodies()).toEqual([
      kind === "image" ? "Ada Lovelace sent an image" : "Ada Lovelace sent a file",
    ]);
  });
});

describe("a notification of a reply", () => {
  let root: { id: string };
  beforeEach(async () => {
    root = { id: await sayAndPush(world, bob, room, "root") };
    service.reset();
    await eve.patch(`/api/rooms/${room}/membership`, { thread_push: "all" });
  });
  const answer = (content: string, meanwhile?: () => unknown) =>
    sayAndPush(world, ada, room, { content, thread_id: root.id }, meanwhile);
  const choose = (values: object) => bob.patch(`/api/rooms/${room}/membership`, values);
  const follow = (is_following: boolean) =>
    bob.put(`/api/messages/${root.id}/thread/follow`, { is_following });

  test("comes to who follows the thread and to who wants every reply, and leads into it", async () => {
    const id = await answer("yes");
    const path = `/rooms/snug-${count - 1}/t/${root.id}/m/${id}`;
    expect(await browsers.bob.payloads()).toMatchObject([{ path, mention: false }]);
    expect(await browsers.eve.payloads()).toMatchObject([{ path }]);
    await follow(false);
    await answer("again");
    expect(await browsers.bob.bodies()).toHaveLength(1);
    await eve.patch(`/api/rooms/${room}/membership`, { thread_push: "followed" });
    await answer(`@${bob.user.username}, come back`);
    expect(await browsers.bob.bodies()).toHaveLength(2);
    expect(await browsers.eve.bodies()).toHaveLength(2);
  });

  test("does not come to who wants mentions or nothing, unless it mentions them", async () => {
    await choose({ notify: "mentions" });
    await answer("yes");
    expect(await bobHeard()).toEqual([]);
    service.reset();
    await answer(`@${bob.user.username}!`);
    expect(await bobHeard()).toHaveLength(1);
    service.reset();
    await choose({ notify: "none" });
    await answer(`@${bob.user.username}!`);
    expect(await bobHeard()).toEqual([]);
  });

  test("does not come to who has replied since", async () => {
    // The second time, Bob is known to follow the thread.
    for (const text of ["I listen", "still"]) {
      const heard = (await browsers.bob.bodies()).length;
      await answer(text, () => bob.say(room, "heard", { thread_id: root.id }));
      expect(await browsers.eve.bodies()).toContain(`Ada Lovelace: ${text}`);
      expect(await browsers.bob.bodies()).toHaveLength(heard);
    }
  });

  test("does not come to who has read it in the thread, nor to who was deactivated", async () => {
    await answer("yes", () => bob.post(`/api/messages/${root.id}/thread/read`));
    expect(await bobHeard()).toEqual([]);
    service.reset();
    await world.database.sql`update users set is_active = false where id = ${bob.user.id}`;
    await answer("yes again");
    expect(await bobHeard()).toEqual([]);
  });
});

describe("a notification of a conversation", () => {
  let direct: string;
  beforeEach(async () => {
    direct = (await ada.post("/api/direct", { user_ids: [bob.user.id] })).body.id;
  });
  const write = (content: string) => sayAndPush(world, ada, direct, content);

  test("has the sender as its title, and is urgent", async () => {
    const id = await write("Are you *there*?");
    expect(await browsers.bob.payloads()).toMatchObject([
      {
        title: "Ada Lovelace",
        body: "Are you there?",
        room_id: direct,
        mention: true,
        path: `/direct/${direct}/m/${id}`,
      },
    ]);
    expect(browsers.bob.requests[0]?.headers.get("urgency")).toBe("high");
    expect(browsers.eve.requests).toEqual([]);
  });

  test("comes to a partner who wants mentions only, and to nobody who wants none", async () => {
    const choose = (notify: string) => bob.patch(`/api/rooms/${direct}/membership`, { notify });
    await choose("mentions");
    await write("You alone can mean me");
    expect(await browsers.bob.bodies()).toHaveLength(1);
    await choose("none");
    await write("Quiet");
    expect(await browsers.bob.bodies()).toHaveLength(1);
  });
});

test("a notification of a group comes to those whom it mentions, where they chose that", async () => {
  const user_ids = [bob.user.id, eve.user.id];
  const { id } = (await ada.post("/api/direct", { user_ids })).body;
  await bob.patch(`/api/rooms/${id}/membership`, { notify: "mentions" });
  await sayAndPush(world, ada, id, "to nobody in particular");
  expect(await bobHeard()).toEqual([]);
  service.reset();
  await sayAndPush(world, ada, id, `to @${bob.user.username}`);
  expect(await bobHeard()).toHaveLength(1);
});

describe("a notification shows", () => {
  const choose = async (push_preview: string) =>
    expect((await bob.patch("/api/auth/me", { push_preview })).body).toMatchObject({
      push_preview,
    });

  test("whom it is from and no text, if that is chosen", async () => {
    await choose("sender");
    const { id } = (await ada.post("/api/direct", { user_ids: [bob.user.id] })).body;
    await say("secret");
    await sayAndPush(world, ada, id, "secret too");
    expect(await browsers.bob.payloads()).toMatchObject([
      { title: `#snug-${count - 1}`, body: "Ada Lovelace sent a message" },
      { title: "Ada Lovelace", body: "Sent you a message" },
    ]);
    expect(await browsers.eve.bodies()).toEqual(["Ada Lovelace: secret"]);
  });

  test("neither person nor room, if that is chosen", async () => {
    await choose("none");
    const { id } = (await ada.post("/api/direct", { user_ids: [bob.user.id] })).body;
    await say(`@${bob.user.username} secret`);
    await sayAndPush(world, ada, id, "secret too");
    const payloads = await browsers.bob.payloads();
    expect(payloads).toMatchObject([
      { title: "Snug", body: "You have a new message" },
      { title: "Snug", body: "You have a new message" },
    ]);
    const text = JSON.stringify(payloads);
    for (const name of ["Ada", "ada", "snug-", "secret"]) expect(text).not.toContain(name);
  });
});

/** A message without text. */
async function postUpload(kind: "image" | "file"): Promise<void> {
  const { id } = (await ada.upload(`/api/rooms/${room}/${kind}s`, PNG)).body;
  await sayAndPush(world, ada, room, kind === "image" ? { image_id: id } : { file_id: id });
}

describe("notifies", () => {
  test("everyone but the sender, once", async () => {
    await say("x");
    expect(await bobHeard()).toHaveLength(1);
    expect(browsers.ada.requests).toEqual([]);
  });

  test("the webhook's creator too, under the webhook's name", async () => {
    const path = `/api/rooms/${room}/incoming-webhooks`;
    const { url } = (await ada.post(path, { name: "CI" })).body;
    const body = JSON.stringify({ text: "Build failed" });
    const address = world.service.address + new URL(url).pathname;
    expect((await fetch(address, { method: "POST", body })).status).toBe(200);
    const { items } = (await ada.get(`/api/rooms/${room}/messages?limit=1`)).body;
    await queued(world, items[0].id);
    await runPushes(world, "push");
    for (const browser of [browsers.ada, browsers.bob]) {
      expect(await browser.bodies()).toEqual(["CI: Build failed"]);
    }
  });

  test("on each of the recipient's browsers", async () => {
    const second = await subscribed(service, bob);
    await say("x");
    expect(await second.bodies()).toHaveLength(1);
    expect(await bobHeard()).toHaveLength(1);
  });

  test("members who want mentions only, of mentions", async () => {
    await bob.patch(`/api/rooms/${room}/membership`, { notify: "mentions" });
    await say(`@${bob.user.username}`);
    expect(await bobHeard()).toHaveLength(1);
  });

  test("members who want mentions only, of @room, and of @here if they are connected", async () => {
    await bob.patch(`/api/rooms/${room}/membership`, { notify: "mentions" });
    await say("@room, come in");
    expect(await browsers.bob.payloads()).toMatchObject([
      { body: "Ada Lovelace mentioned you: @room, come in", mention: true },
    ]);
    service.reset();
    await say("@here");
    expect(await browsers.bob.bodies()).toEqual([]);
    const socket = await bob.socket();
    await eventually(async () => {
      const { sql } = world.database;
      return (await sql`select from presence where user_id = ${bob.user.id}`).length === 1;
    });
    service.reset();
    await say("@here");
    expect(await bobHeard()).toHaveLength(1);
    socket.close();
  });

  test("members who are connected but have another room open", async () => {
    const other = await world.room(`other-${count}`, bob);
    const socket = await bob.socket();
    await socket.join(other);
    await untilOpen(bob, other);
    await say("x");
    expect(await bobHeard()).toHaveLength(1);
    socket.close();
  });

  test("members who have hidden the last page with the room open", async () => {
    const [one, two] = [await bob.socket(), await bob.socket()];
    await one.join(room);
    await two.join(room);
    await untilOpen(bob, room);
    one.send({ type: "leave", room_id: room });
    await one.next("left");
    two.close();
    await untilClosed(bob);
    await say("x");
    expect(await bobHeard()).toHaveLength(1);
    one.close();
  });

  test("members who appear offline or whose instance is dead", async () => {
    const { sql } = world.database;
    await sql`insert into open_rooms values (${room}, ${bob.user.id}, ${Bun.randomUUIDv7()})`;
    await bob.patch("/api/auth/me", { appear_offline: true });
    await say("x");
    expect(await bobHeard()).toHaveLength(1);
  });

  test("members whose pause is over", async () => {
    await bob.patch("/api/auth/me", { push_paused_until: new Date(1_000).toISOString() });
    await say("x");
    expect(await bobHeard()).toHaveLength(1);
  });

  test("members whose mute is over, by the level that they had", async () => {
    const path = `/api/rooms/${room}/membership`;
    await bob.patch(path, { notify: "mentions", muted_until: new Date(1_000).toISOString() });
    await say("x");
    expect(await bobHeard()).toEqual([]);
    service.reset();
    await say(`@${bob.user.username}`);
    expect(await bobHeard()).toHaveLength(1);
  });
});

describe("does not notify", () => {
  test("members with the room open", async () => {
    const socket = await bob.socket();
    await socket.join(room);
    await untilOpen(bob, room);
    await say("x");
    expect(await bobHeard()).toEqual([]);
    socket.close();
  });

  test("members with the room open on another instance, though they appear offline", async () => {
    await bob.patch("/api/auth/me", { appear_offline: true });
    const there = await world.signIn(bob.user, await world.secondInstance(SETTINGS, OUTSIDE));
    const socket = await there.socket();
    await socket.join(room);
    await untilOpen(bob, room);
    await say("x");
    expect(await bobHeard()).toEqual([]);
    socket.close();
  });

  test("members with the room still open on one of two sockets", async () => {
    const [one, two] = [await bob.socket(), await bob.socket()];
    await one.join(room);
    await two.join(room);
    two.send({ type: "leave", room_id: room });
    await two.next("left");
    await untilOpen(bob, room);
    await say("x");
    expect(await bobHeard()).toEqual([]);
    one.close();
    two.close();
  });

  const changes: [string, () => unknown][] = [
    ["members who have muted the room", () => notify("none")],
    ["members who have muted the room for a while", () => muteFor(60_000)],
    ["members for whom it is quiet now", () => bob.patch("/api/auth/me", { quiet_hours: ALWAYS })],
    ["members who want mentions only, of other messages", () => notify("mentions")],
    ["members who have paused", () => pause(3_600_000)],
    ["members who have left", () => ada.delete(`/api/rooms/${room}/members/${bob.user.id}`)],
    ["members who have read it meanwhile", () => bob.post(`/api/rooms/${room}/read`)],
    ["members who have signed out", () => bob.post("/api/auth/logout")],
    [
      "members who were deactivated",
      () => world.database.sql`update users set is_active = false where id = ${bob.user.id}`,
    ],
    [
      "whose session has run out",
      () => world.database
        .sql`update sessions set expires_at = clock_timestamp() - interval '1 second'
        where user_id = ${bob.user.id}`,
    ],
    [
      "who must turn on a second factor first",
      () => world.database.sql`update sessions set is_restricted = true
        where user_id = ${bob.user.id}`,
    ],
    [
      "who has unsubscribed",
      () => bob.call("DELETE", "/api/push/subscriptions", { endpoint: browsers.bob.endpoint }),
    ],
  ];
  const notify = (value: string) => bob.patch(`/api/rooms/${room}/membership`, { notify: value });
  const muteFor = (ms: number) => {
    const muted_until = new Date(Date.now() + ms).toISOString();
    return bob.patch(`/api/rooms/${room}/membership`, { muted_until });
  };
  const pause = (ms: number) =>
    bob.patch("/api/auth/me", { push_paused_until: new Date(Date.now() + ms).toISOString() });

  test.each(changes)("%s, before or after the message was posted", async (_, change) => {
    await say("x", change);
    expect(await bobHeard()).toEqual([]);
  });

  test.each([
    ["for ever", () => notify("none")],
    ["for a while", () => muteFor(60_000)],
  ])("members who have muted the room %s, not even of a mention", async (_, mute) => {
    await mute();
    await say(`@${bob.user.username}`);
    expect(await bobHeard()).toEqual([]);
  });

  test("anyone, of a message that was deleted meanwhile", async () => {
    await say("x", (id) => ada.delete(`/api/messages/${id}`));
    expect(service.received).toEqual([]);
  });

  test("anyone, of a message that is a day old", async () => {
    await say(
      "x",
      (id) => world.database.sql`update messages set created_at = created_at - interval '25 hours'
        where id = ${id}`,
    );
    expect(service.received).toEqual([]);
  });
});

test("nothing is queued if no browser is subscribed", async () => {
  const { sql } = world.database;
  await sql`delete from push_subscriptions`;
  expect(await enqueuePushes(sql, [Bun.randomUUIDv7()])).toBe(false);
  expect(await sql`select from jobs where kind = 'push'`).toHaveLength(0);
});

const openRooms = (who: Client) =>
  world.database.sql<{ room_id: string }[]>`
    select room_id from open_rooms where user_id = ${who.user.id}`;
const untilOpen = (who: Client, roomId: string) =>
  eventually(async () => (await openRooms(who)).some((row) => row.room_id === roomId));
const untilClosed = (who: Client) => eventually(async () => (await openRooms(who)).length === 0);
