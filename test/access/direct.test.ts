import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { deactivateUser } from "../../src/accounts/administer.ts";
import { type Scope, SCOPES } from "../../src/wire/scopes.ts";
import { type Answer, type Client, formOf } from "../support/client.ts";
import { PNG } from "../support/images.ts";
import { ROUTES } from "../support/routes.ts";
import { World } from "../support/world.ts";
import { expectOutcome } from "./places.ts";
import type { Outcome } from "./table.ts";

/** Who can do what in a conversation, which nobody but its members knows of. */

let world: World;
let [ada, ben, cleo, outsider, removed, admin] = [] as unknown as [
  Client,
  Client,
  Client,
  Client,
  Client,
  Client,
];
/** A group, and a message with an image and a file in it. */
let place: { id: string; message: string; image: string; file: string };
beforeAll(async () => {
  world = await World.start();
  [ada, ben, cleo, outsider, removed] = (await Promise.all(
    ["ada", "ben", "cleo", "outsider", "removed"].map((name) => world.person(name)),
  )) as [Client, Client, Client, Client, Client];
  admin = await world.person("admin", { isSiteAdmin: true });
  const user_ids = [ben, cleo, removed].map(({ user }) => user.id);
  const { id } = (await ada.post("/api/direct", { user_ids })).body;
  const image = (await ada.upload(`/api/rooms/${id}/images`, PNG)).body;
  const file = (await ada.upload(`/api/rooms/${id}/files`, PNG)).body;
  await removed.say(id, "see you");
  const { id: message } = await ada.say(id, "secret", { image_id: image.id, file_id: file.id });
  await removed.post(`/api/direct/${id}/leave`);
  place = { id, message, image: image.url.split("/").at(-1), file: file.id };
});
afterAll(() => world.stop());

const BODIES: Record<string, () => unknown> = {
  "POST /api/rooms/:id/messages": () => ({ content: "x" }),
  "POST /api/rooms/:id/images": () => formOf(PNG, "x.png"),
  "POST /api/rooms/:id/files": () => formOf(PNG, "x.png"),
  "POST /api/rooms/:id/unread": () => ({ message_id: place.message }),
  "PATCH /api/rooms/:id/membership": () => ({ hidden: false }),
  "PATCH /api/rooms/:id": () => ({ description: "x" }),
  "POST /api/rooms/:id/members": () => ({ user_id: outsider.user.id }),
  "PATCH /api/rooms/:id/members/:user_id": () => ({ role: "admin" }),
  "POST /api/rooms/:id/incoming-webhooks": () => ({ name: "x" }),
  "PATCH /api/rooms/:id/incoming-webhooks/:hook_id": () => ({ may_pin: true }),
  "PATCH /api/rooms/:id/outgoing-webhooks/:hook_id": () => ({ name: "y" }),
  "POST /api/rooms/:id/outgoing-webhooks": () => ({
    name: "x",
    url: "https://1.1.1.1/",
    events: ["message.created"],
  }),
  "POST /api/rooms/:id/transfer": () => ({ user_id: ben.user.id }),
  "PATCH /api/messages/:id": () => ({ content: "y" }),
  "PATCH /api/messages/:id/thread": () => ({ title: "x" }),
  "PUT /api/messages/:id/thread/follow": () => ({ is_following: true }),
  "POST /api/messages/:id/thread/unread": () => ({ message_id: place.message }),
  "POST /api/messages/:id/reactions": () => ({ emoji: "👍" }),
  "POST /api/direct/:id/members": () => ({ user_id: outsider.user.id }),
  "POST /api/direct/:id/room": () => ({ name: "made-of-it" }),
};

/** A route that is about the conversation, or about one that never was. */
function ask(client: Client, name: string, isThere = true): Promise<Answer> {
  const [method = "", path = ""] = name.split(" ");
  const never = Bun.randomUUIDv7();
  const values: Record<string, string> = {
    id: path.startsWith("/api/messages/") ? place.message : place.id,
    user_id: ben.user.id,
    sha256: place.image,
    file_id: place.file,
    hook_id: never,
    delivery_id: never,
  };
  if (!isThere) values.id = never;
  const address = path.replace(/:(\w+)/g, (_, param: string) => values[param] ?? never);
  const query = name === "GET /api/rooms/:id/changes" ? "?after=0" : "";
  return client.call(method, address + query, BODIES[name]?.());
}

const NAMES = ROUTES.map(({ name }) => name).filter((name) =>
  / \/api\/(?:rooms|direct|messages)\/:id/.test(name),
);

test.each(NAMES)(
  "%s of a conversation looks like one of none to those who are not in it",
  async (name) => {
    for (const client of [outsider, removed, admin]) {
      const [there, never] = [await ask(client, name), await ask(client, name, false)];
      expect([client.user.username, there.status]).toEqual([client.user.username, 404]);
      expect(there.body).toEqual(never.body);
    }
    expectOutcome(await ask(world.anonymous, name), "unauthenticated");
  },
);

test("its frames refuse them as for one of none", async () => {
  for (const client of [outsider, removed, admin]) {
    const socket = await client.socket();
    for (const room_id of [place.id, Bun.randomUUIDv7()]) {
      socket.send({ type: "join", room_id });
      expect(await socket.next("error")).toMatchObject({ code: "room_not_found", room_id });
      const client_id = Bun.randomUUIDv7();
      socket.send({ type: "message", room_id, content: "x", client_id });
      expect(await socket.next("error")).toMatchObject({ code: "room_not_found", client_id });
      socket.send({ type: "typing", room_id });
    }
    socket.close();
  }
});

test("a search of lists finds nothing of it", async () => {
  for (const client of [outsider, removed, admin]) {
    expect((await client.get("/api/direct?all=true")).body.items).toEqual([]);
  }
});

describe("a bot", () => {
  const EXPECTED: [name: string, scope: Scope | null, outcome: Outcome][] = [
    ["GET /api/direct/:id", "read:messages", 200],
    ["GET /api/rooms/:id/messages", "read:messages", 200],
    ["POST /api/rooms/:id/messages", "write:messages", 201],
    ["PATCH /api/rooms/:id/membership", null, 200],
    ["POST /api/rooms/:id/read", null, 200],
    ["POST /api/direct/:id/leave", "write:messages", "not_for_direct"],
    ["POST /api/direct/:id/members", "write:messages", "not_for_direct"],
    ["POST /api/direct/:id/room", "write:messages", "not_for_direct"],
  ];
  test.each([...SCOPES, null])("with the scope %s does what it allows", async (scope) => {
    const bot = await world.bot(`bot-${scope?.replace(":", "-") ?? "bare"}`, scope ? [scope] : []);
    await world.room(`room-of-${bot.user.username}`, ada, [bot]);
    const opened = await ada.post("/api/direct", { user_ids: [bot.user.id] });
    expect(opened.status).toBe(201);
    const before = place;
    place = { ...place, id: opened.body.id };
    for (const [name, needed, outcome] of EXPECTED) {
      const isAllowed = needed === null || needed === scope;
      expectOutcome(await ask(bot, name), isAllowed ? outcome : "insufficient_scope");
    }
    place = before;
  });
});

test("a deactivated partner is signed out of it", async () => {
  const person = await world.person("gone");
  const opened = await ada.post("/api/direct", { user_ids: [person.user.id] });
  const socket = await person.socket();
  await world.administer("gone", deactivateUser);
  await socket.closing();
  expectOutcome(await person.get(`/api/direct/${opened.body.id}`), "unauthenticated");
});
