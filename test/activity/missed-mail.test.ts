import { afterAll, beforeAll, beforeEach, expect, test } from "bun:test";
import { queueMissedMails } from "../../src/activity/missed-mail.ts";
import { type Client, expectProblem } from "../support/client.ts";
import { MailServer } from "../support/smtp.ts";
import { World } from "../support/world.ts";
import { eventually } from "../support/wait.ts";

let mails: MailServer;
let world: World;
let ada: Client;
let bob: Client;
let room: string;
let name: string;
let count = 0;
beforeAll(async () => {
  mails = await MailServer.open("plain");
  world = await World.start();
  const admin = await world.person("admin", { isSiteAdmin: true });
  await admin.put("/api/admin/settings/smtp", mails.settings);
});
afterAll(async () => {
  await world.stop();
  await mails.close();
});

/** Ada writes, Bob was away for a day. */
beforeEach(async () => {
  const n = count++;
  name = `room-${n}`;
  const mentionsMailedAt = new Date(Date.now() - 86_400_000);
  ada = await world.person(`ada${n}`, { displayName: "Ada Lovelace" });
  bob = await world.person(`bob${n}`, { emailOnAdded: false, mentionsMailedAt });
  room = await world.room(name, ada, [bob]);
  await world.database.sql`
    update memberships set joined_at = clock_timestamp() - interval '1 day' where room_id = ${room}`;
});

/** A message of Ada's as it would be if she had written it some minutes ago. */
async function say(content: string, minutesAgo: number, broadcast?: "room" | "here") {
  const { sql } = world.database;
  const at = new Date(Date.now() - minutesAgo * 60_000);
  const id = Bun.randomUUIDv7("hex", at);
  const [row] = await sql<{ seq: number }[]>`
    update rooms set last_seq = last_seq + 1 where id = ${room} returning last_seq as seq`;
  const seq = row?.seq ?? 0;
  await sql`insert into messages (id, room_id, seq, author_id, content, created_at, has_embeds)
    values (${id}, ${room}, ${seq}, ${ada.user.id}, ${content}, ${at}, true)`;
  if (broadcast) {
    await sql`insert into message_broadcasts (message_id, room_id, seq, kind)
      values (${id}, ${room}, ${seq}, ${broadcast})`;
  } else {
    await sql`insert into message_mentions (message_id, user_id, room_id, seq)
      values (${id}, ${bob.user.id}, ${room}, ${seq})`;
  }
  return id;
}

const run = (now?: Date) => queueMissedMails(world.database, now);
/** How many mails to Bob are queued or on their way. */
async function queuedMails(): Promise<number> {
  const rows = await world.database.sql`
    select from jobs where kind = 'missed_mail' and payload->>'userId' = ${bob.user.id}`;
  return rows.length;
}

test("one mail gathers what was missed for 15 minutes, with the way to turn it off", async () => {
  await say("@bob, the *first*", 60);
  await say("@room, the second", 20, "room");
  await say("@bob, just now", 1);
  await run();
  const { to, raw, mail } = await mails.next();
  expect(to).toEqual([`${bob.user.username}@example.org`]);
  expect(mail.subject).toStartWith("3 mentions while you were away at ");
  expect(mail.text).toContain(`Ada Lovelace in #${name}: @bob, the first`);
  expect(mail.text).toContain("@room, the second");
  expect(mail.text).toContain("/activity");
  expect(raw).toMatch(/^List-Unsubscribe: <http:\/\/\S+\/profile\/notifications>/im);
  // The next one comes after an hour at the earliest.
  await eventually(async () => (await queuedMails()) === 0);
  await say("@bob, once more", 16);
  await run();
  expect(await queuedMails()).toBe(0);
});

test("one mention is named, and leads to its message", async () => {
  const id = await say("@bob, look", 16);
  await run();
  const { mail } = await mails.next();
  expect(mail.subject).toStartWith(`Ada Lovelace mentioned you in #${name} at `);
  expect(mail.text).toContain(`/rooms/${name}/m/${id}`);
});

test("what was mentioned in a room that was muted for a while is mailed after it", async () => {
  await say("@bob, look", 20);
  await muteUntil(Date.now() + 60_000);
  await run();
  expect(await queuedMails()).toBe(0);
  await muteUntil(Date.now() - 1_000);
  await run();
  expect((await mails.next()).mail.subject).toStartWith("Ada Lovelace mentioned you");
});

const muteUntil = (at: number) =>
  bob.patch(`/api/rooms/${room}/membership`, { muted_until: new Date(at).toISOString() });
const sql = () => world.database.sql;
test.each<[string, () => Promise<unknown>]>([
  ["is too fresh", () => say("@bob", 14)],
  ["is of those online alone", () => say("@here", 20, "here")],
  [
    "was read",
    async () => {
      await say("@bob", 20);
      await bob.post(`/api/rooms/${room}/read`);
    },
  ],
  [
    "is in a muted room",
    async () => {
      await say("@bob", 20);
      await bob.patch(`/api/rooms/${room}/membership`, { notify: "none" });
    },
  ],
  [
    "is in a room that is muted for a while",
    async () => {
      await say("@bob", 20);
      await muteUntil(Date.now() + 60_000);
    },
  ],
  [
    "came while the person was here",
    async () => {
      await say("@bob", 20);
      await sql()`insert into visits values (${bob.user.id}, clock_timestamp() - interval '19 minutes')`;
    },
  ],
  [
    "is of someone who wants no such mails",
    async () => {
      await say("@bob", 20);
      await bob.patch("/api/auth/me", { email_on_missed: false });
    },
  ],
  [
    "is of someone who has paused notifications",
    async () => {
      await say("@bob", 20);
      const push_paused_until = new Date(Date.now() + 60_000).toISOString();
      await bob.patch("/api/auth/me", { push_paused_until });
    },
  ],
])("nothing is mailed that %s", async (_, prepare) => {
  await prepare();
  await run();
  expect(await queuedMails()).toBe(0);
});

test("someone who is connected is here, and was here until the socket closed", async () => {
  const socket = await bob.socket();
  const isHere = (table: "presence" | "visits") =>
    eventually(async () => {
      const rows = await sql()`select from ${sql()(table)} where user_id = ${bob.user.id}`;
      return rows.length === 1;
    });
  await isHere("presence");
  await say("@bob", 20);
  await run();
  expect(await queuedMails()).toBe(0);
  socket.close();
  await isHere("visits");
  await run();
  expect(await queuedMails()).toBe(0);
});

test("a mail waits for the end of the quiet hours", async () => {
  const days = Array.from({ length: 7 }, () => ({ from: "22:00", to: "06:00" }));
  await bob.patch("/api/auth/me", { quiet_hours: { time_zone: "UTC", days } });
  await say("@bob, good night", 20);
  await run(new Date("2026-11-23T23:00:00Z"));
  expect(await queuedMails()).toBe(0);
  await run(new Date("2026-11-24T06:00:00Z"));
  expect((await mails.next()).mail.text).toContain("good night");
});

test("quiet hours are checked, and stored without what is unknown", async () => {
  const day = { from: "22:00", to: "06:00" };
  const days = [day, null, null, null, null, null, null];
  const save = (quiet_hours: unknown) => bob.patch("/api/auth/me", { quiet_hours });
  for (const wrong of [
    { time_zone: "Europe/Atlantis", days },
    { time_zone: "UTC", days: days.slice(1) },
    { time_zone: "UTC", days: [{ ...day, to: "24:00" }, ...days.slice(1)] },
  ]) {
    expectProblem(await save(wrong), 422, "validation");
  }
  const saved = await save({ time_zone: "UTC", days: [{ ...day, more: 1 }, ...days.slice(1)] });
  expect(saved.body.quiet_hours).toEqual({ time_zone: "UTC", days });
  expect(saved.body.version).toBeGreaterThan(0);
  expect((await save(null)).body.quiet_hours).toBeNull();
});
