import { afterAll, beforeAll, beforeEach, expect, test } from "bun:test";
import { type Client, expectProblem, type Json } from "../support/client.ts";
import { World } from "../support/world.ts";

/** A group conversation that became a room keeps what its members could rely on when they wrote. */

let world: World;
let [ada, ben, cleo, outsider, admin] = [] as unknown as [Client, Client, Client, Client, Client];
beforeAll(async () => {
  world = await World.start();
  [ada, ben, cleo, outsider] = (await Promise.all(
    ["ada", "ben", "cleo", "outsider"].map((name) => world.person(name)),
  )) as [Client, Client, Client, Client];
  admin = await world.person("admin", { isSiteAdmin: true });
});
afterAll(() => world.stop());

let rooms = 0;
let room: string;
/** What Ada wrote in the conversation, and then in the room. */
let [earlier, later] = [] as unknown as [Json, Json];
beforeEach(async () => {
  const user_ids = [ben, cleo].map(({ user }) => user.id);
  room = (await ada.post("/api/direct", { user_ids })).body.id;
  earlier = await ada.say(room, "among ourselves");
  const response = await ben.post(`/api/direct/${room}/room`, { name: `former-${rooms++}` });
  expect(response.status).toBe(200);
  later = await ada.say(room, "in the room");
});

const statusOf = async (answer: Promise<{ status: number }>) => (await answer).status;

test("what was said before is for its author alone to delete", async () => {
  for (const other of [ben, cleo]) {
    const response = await other.delete(`/api/messages/${earlier.id}`);
    expectProblem(response, 403, "role_required");
    expect(response.body.detail).toContain("Only its author");
  }
  expect(await statusOf(ada.delete(`/api/messages/${earlier.id}`))).toBe(204);
  expect(await statusOf(cleo.delete(`/api/messages/${later.id}`))).toBe(204);
});

test("nor over a socket, nor by a site administrator who is in it", async () => {
  await ben.post(`/api/rooms/${room}/members`, { user_id: admin.user.id, role: "admin" });
  await ben.post(`/api/rooms/${room}/transfer`, { user_id: admin.user.id });
  const socket = await admin.socket();
  socket.send({ type: "delete", message_id: earlier.id, ref: "x" });
  expect(await socket.next("error")).toMatchObject({ code: "role_required", ref: "x" });
  socket.close();
  expect((await ada.get(`/api/messages/${earlier.id}`)).body.content).toBe("among ourselves");
});

test("it stays private, also where other fields change with it", async () => {
  for (const owner of [ben, ada]) {
    for (const body of [{ privacy: "open" }, { privacy: "open", description: "for all" }]) {
      expectProblem(await owner.patch(`/api/rooms/${room}`, body), 409, "was_conversation");
    }
  }
  const changed = { privacy: "private", description: "ours" };
  const { body } = await ben.patch(`/api/rooms/${room}`, changed);
  expect(body).toMatchObject({ ...changed, private_until_seq: earlier.seq });
  expectProblem(await outsider.post(`/api/rooms/${room}/join`), 404, "room_not_found");
});

test("the database refuses to open it, or to add everyone who signs up", async () => {
  const { sql } = world.database;
  for (const change of [sql`privacy = 'open'`, sql`is_default = true`]) {
    const error = await sql`update rooms set ${change} where id = ${room}`.catch((e) => e);
    expect(error.constraint_name).toBe("rooms_stay_private");
  }
});

test("nobody can delete it, with what others have said", async () => {
  expectProblem(await ben.delete(`/api/rooms/${room}`), 409, "was_conversation");
  expect((await ada.get(`/api/rooms/${room}/messages`)).body.items).toHaveLength(2);
});

test("a bot cannot be added; a person can, and reads what was said", async () => {
  const bot = await world.bot(`bot-${rooms}`, ["read:messages"]);
  for (const given of [{ user_id: bot.user.id }, { username: bot.user.username }]) {
    expectProblem(await ada.post(`/api/rooms/${room}/members`, given), 403, "not_for_bots");
  }
  const added = await ada.post(`/api/rooms/${room}/members`, { user_id: outsider.user.id });
  expect(added.status).toBe(201);
  expect((await outsider.get(`/api/rooms/${room}/messages`)).body.items).toHaveLength(2);
});

test("a bot that was in the conversation is a member of the room, and no admin", async () => {
  const bot = await world.bot(`partner-${rooms}`, []);
  await world.room(`shared-${rooms}`, ada, [bot]);
  const user_ids = [ben, bot].map(({ user }) => user.id);
  const { id } = (await ada.post("/api/direct", { user_ids })).body;
  await ada.post(`/api/direct/${id}/room`, { name: `with-a-bot-${rooms}` });
  const roleOf = async (client: Client) =>
    (await client.get(`/api/rooms/${id}`)).body.membership.role;
  expect(await Promise.all([ada, ben, bot].map(roleOf))).toEqual(["owner", "admin", "member"]);
});

test("a site administrator can make a member the owner, and nobody else", async () => {
  const transfer = (user: Client["user"]) =>
    admin.post(`/api/admin/rooms/${room}/transfer`, { user_id: user.id });
  for (const { user } of [admin, outsider]) {
    expectProblem(await transfer(user), 409, "was_conversation");
  }
  expect(await transfer(cleo.user)).toMatchObject({ status: 200, body: { owner: cleo.user } });
});

test("those who sign up are not in it from the start", async () => {
  const makeDefault = await admin.patch(`/api/admin/rooms/${room}`, { is_default: true });
  expectProblem(makeDefault, 409, "was_conversation");
});

test("an invite cannot name it", async () => {
  const invite = { email: "new@example.org", room_ids: [room] };
  expectProblem(await admin.post("/api/admin/invites", invite), 422, "validation");
});

test("a room that was never a conversation is as before", async () => {
  const id = await world.room(`usual-${rooms}`, ben, [ada]);
  const bot = await world.bot(`usual-bot-${rooms}`, []);
  const { id: said } = await ada.say(id, "x");
  expect(await statusOf(ben.delete(`/api/messages/${said}`))).toBe(204);
  const { body } = await ben.patch(`/api/rooms/${id}`, { privacy: "open" });
  expect(body).toMatchObject({ privacy: "open", private_until_seq: null });
  const members = `/api/rooms/${id}/members`;
  expect(await statusOf(ben.post(members, { user_id: bot.user.id }))).toBe(201);
  expect(await statusOf(ben.delete(`/api/rooms/${id}`))).toBe(204);
});
