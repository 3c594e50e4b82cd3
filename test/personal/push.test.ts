import { afterAll, beforeAll, beforeEach, expect, test } from "bun:test";
import { deactivateUser } from "../../src/accounts/administer.ts";
import type { Answer, Client } from "../support/client.ts";
import { World } from "../support/world.ts";
import {
  OUTSIDE,
  PushService,
  queued,
  runPushes,
  SETTINGS,
  subscribed,
  type TestBrowser,
} from "../push/support.ts";
import { inMinutes, passTime, untilDone } from "./stage.ts";

let world: World;
let service: PushService;
let [ada, ben] = [] as unknown as [Client, Client];
let browsers: { ada: TestBrowser; ben: TestBrowser };
let room: string;
beforeAll(async () => {
  service = new PushService();
  world = await World.start(SETTINGS, OUTSIDE);
  [ada, ben] = [await world.person("ada"), await world.person("ben")];
  browsers = { ada: await subscribed(service, ada), ben: await subscribed(service, ben) };
  room = await world.room("general", ben, [ada]);
});
beforeEach(() => service.reset());
afterAll(async () => {
  await world.stop();
  await service.stop();
});

/** Lets the time come that is waited for, and everything be pushed that it causes. */
async function pass(): Promise<void> {
  await passTime(world);
  for (const kind of ["remind", "send_scheduled"]) await untilDone(world, kind);
  await runPushes(world, "push_self");
}
const save = async (text: string, more = {}) => {
  const { id } = await ben.say(room, text);
  await queued(world, id);
  await runPushes(world, "push");
  service.reset();
  await ada.put(`/api/saved/${id}`, { remind_at: inMinutes(5), ...more });
  return id;
};

test("a reminder is pushed once to its owner's browsers, with the text or the note", async () => {
  await save("the **slides**");
  await pass();
  expect(await browsers.ada.payloads()).toMatchObject([
    {
      type: "reminder",
      title: "#general",
      path: "/later",
      topic: expect.any(String),
      body: "Reminder: the slides",
    },
  ]);
  expect(browsers.ben.requests).toEqual([]);
  await pass();
  expect(browsers.ada.requests).toHaveLength(1);
  await save("the slides", { note: "print them" });
  await pass();
  expect(await browsers.ada.bodies()).toEqual(["Reminder: print them"]);
});

test("a reminder says nothing of the text where its owner wants no preview", async () => {
  await ada.patch("/api/auth/me", { push_preview: "none" });
  await save("secret");
  await pass();
  expect(await browsers.ada.payloads()).toMatchObject([
    { title: "Snug", body: "Reminder: a message you saved" },
  ]);
  await ada.patch("/api/auth/me", { push_preview: "full" });
});

test("nothing is pushed while its owner has paused notifications", async () => {
  await ada.patch("/api/auth/me", { push_paused_until: inMinutes(60) });
  await save("in peace");
  await pass();
  expect(browsers.ada.requests).toEqual([]);
  await ada.patch("/api/auth/me", { push_paused_until: null });
});

test("a message that could not be sent is pushed once to its author alone", async () => {
  const zone = "Europe/Lisbon";
  const body = { room_id: room, content: "good *morning*", send_at: inMinutes(5), zone };
  expect((await ada.post("/api/scheduled", body)).status).toBe(201);
  await world.archive("general", true);
  await pass();
  expect(await browsers.ada.payloads()).toMatchObject([
    {
      type: "scheduled_failed",
      title: "Snug",
      path: "/drafts",
      body: "A message that you scheduled could not be sent: good morning",
    },
  ]);
  expect(browsers.ben.requests).toEqual([]);
  await world.archive("general", false);
});

test("no reminder is pushed of a message that was deleted, nor after its owner has left the room", async () => {
  const deletedId = await save("deleted before its time");
  await ben.delete(`/api/messages/${deletedId}`);
  const room = await world.room("left", ben, [ada]);
  const { id } = await ben.say(room, "out of reach");
  await queued(world, id);
  await runPushes(world, "push");
  service.reset();
  await ada.put(`/api/saved/${id}`, { remind_at: inMinutes(5) });
  await ada.delete(`/api/rooms/${room}/members/${ada.user.id}`);
  await pass();
  expect(browsers.ada.requests).toEqual([]);
});

test("a reminder that is retried says nothing of a room that its owner has lost meanwhile", async () => {
  const lost = await world.room("merger", ben, [ada]);
  const { id } = await ben.say(lost, "before");
  await queued(world, id);
  await runPushes(world, "push");
  service.reset();
  await ada.put(`/api/saved/${id}`, { remind_at: inMinutes(5) });
  service.answer = () => new Response(null, { status: 503 });
  await pass();
  expect(browsers.ada.requests).toHaveLength(1);
  service.reset();
  await ben.delete(`/api/rooms/${lost}/members/${ada.user.id}`);
  await ben.patch(`/api/messages/${id}`, { content: "written after the removal" });
  await runPushes(world, "push_self");
  expect(browsers.ada.requests).toEqual([]);
});

test("a reminder that is retried says nothing of a message that was deleted meanwhile", async () => {
  const id = await save("to be deleted");
  // A root with replies stays, without its text.
  await ben.say(room, "a reply", { thread_id: id });
  service.answer = () => new Response(null, { status: 503 });
  await pass();
  service.reset();
  await ben.delete(`/api/messages/${id}`);
  await runPushes(world, "push_self", "push");
  const types = (await browsers.ada.payloads()).map(({ type }) => type);
  expect(types).not.toContain("reminder");
});

test("no reminder is pushed to a session that must first turn on a second factor", async () => {
  const { sql } = world.database;
  await save("restricted");
  await sql`update sessions set is_restricted = true where user_id = ${ada.user.id}`;
  await pass();
  expect(browsers.ada.requests).toEqual([]);
  await sql`update sessions set is_restricted = false where user_id = ${ada.user.id}`;
});

/** Something that is pushed to Ada, whose first attempt her push service does not take. */
async function refuseOnce(cause: () => Promise<unknown>): Promise<void> {
  await cause();
  service.answer = () => new Response(null, { status: 503 });
  await pass();
  // The first attempt may have been made before all that waits was made due.
  expect(browsers.ada.requests.length).toBeGreaterThan(0);
  service.reset();
}

test.each<[string, (id: string) => Promise<Answer>]>([
  ["it was marked as done", (id) => ada.post(`/api/saved/${id}/done`)],
  ["it was removed from the list", (id) => ada.delete(`/api/saved/${id}`)],
  ["its time was moved", (id) => ada.put(`/api/saved/${id}`, { remind_at: inMinutes(60) })],
])("a reminder is not pushed again once %s", async (_, end) => {
  let id = "";
  await refuseOnce(async () => {
    id = await save("the slides");
  });
  expect((await end(id)).status).toBeLessThan(300);
  await runPushes(world, "push_self");
  expect(browsers.ada.requests).toEqual([]);
});

test("a failure is not pushed again once the message was sent anyway", async () => {
  const { id: planned } = (
    await ada.post("/api/scheduled", {
      room_id: room,
      content: "good morning",
      send_at: inMinutes(5),
      zone: "UTC",
    })
  ).body;
  await refuseOnce(() => world.archive("general", true));
  await world.archive("general", false);
  expect((await ada.post(`/api/scheduled/${planned}/send-now`)).status).toBe(201);
  await runPushes(world, "push_self");
  expect(browsers.ada.requests).toEqual([]);
});

test.each<[string, (client: Client) => Promise<unknown>]>([
  ["deactivated", (client) => world.administer(client.user.username, deactivateUser)],
  [
    "signed out everywhere",
    async (client) => (await world.signIn(client.user)).delete("/api/auth/me/sessions"),
  ],
])("neither a reminder nor a failure is pushed to one who was %s meanwhile", async (what, end) => {
  const person = await world.person(`gone-${what.length}`);
  const browser = await subscribed(service, person);
  await ben.post(`/api/rooms/${room}/members`, { user_id: person.user.id });
  const { id } = await ben.say(room, "the slides");
  await queued(world, id);
  await runPushes(world, "push");
  await person.put(`/api/saved/${id}`, { remind_at: inMinutes(5) });
  service.reset();
  await passTime(world);
  // The reminder is due; its push waits for a service that is not there.
  service.answer = () => new Response(null, { status: 503 });
  await untilDone(world, "remind");
  await runPushes(world, "push_self");
  service.reset();
  await end(person);
  await runPushes(world, "push_self");
  expect(browser.requests).toEqual([]);
});
