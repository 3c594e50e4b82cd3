import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { type Client, expectProblem } from "../support/client.ts";
import { picture } from "../support/images.ts";
import { World } from "../support/world.ts";

let world: World;
let ada: Client;
let roomId: string;
let botId: string;
beforeAll(async () => {
  world = await World.start({ EGRESS_ALLOW: "127.0.0.1" });
  ada = await world.person("ada", { isSiteAdmin: true });
  roomId = await world.room("named", ada);
  botId = (await ada.post("/api/admin/bots", { username: "bot" })).body.id;
});
afterAll(() => world.stop());

const colors = Object.fromEntries(
  [
    ["background", "surface", "sidebar", "border", "text", "text_muted", "accent"],
    ["accent_strong", "accent_soft", "highlight", "danger", "on_accent"],
  ]
    .flat()
    .map((name) => [name, "#123456"]),
);
const events = ["message.created"];

/** Every place that takes a name. */
const PLACES: [what: string, give: (name: string) => ReturnType<Client["post"]>][] = [
  ["a display name", (display_name) => ada.patch("/api/auth/me", { display_name })],
  ["a room's description", (description) => ada.patch(`/api/rooms/${roomId}`, { description })],
  ["an incoming webhook", (name) => ada.post(`/api/rooms/${roomId}/incoming-webhooks`, { name })],
  [
    "an outgoing webhook",
    (name) =>
      ada.post(`/api/rooms/${roomId}/outgoing-webhooks`, {
        name,
        url: "http://127.0.0.1:9",
        events,
      }),
  ],
  ["a theme", (name) => ada.post("/api/custom-themes", { name, colors, is_dark: true })],
  [
    "a token",
    (name) => ada.post(`/api/admin/bots/${botId}/tokens`, { name, scopes: ["read:messages"] }),
  ],
  ["a bot", (display_name) => ada.patch(`/api/admin/bots/${botId}`, { display_name })],
];

describe.each(PLACES)("%s", (_, give) => {
  test.each(["\u200b", "\u3164\u3164", "Ada\u202e", "\u2067Ada"])("is not %j", async (name) => {
    expectProblem(await give(name), 422, "validation");
  });

  test("may be in any script", async () => {
    expect([200, 201]).toContain((await give("اسم שם 😀")).status);
  });
});

describe("a message of invisible characters alone", () => {
  const INVISIBLE = "\u200b\u2060 \ufe0f";

  test("is empty, wherever it comes from", async () => {
    const path = `/api/rooms/${roomId}/messages`;
    expectProblem(await ada.post(path, { content: INVISIBLE }), 422, "empty_message");
    const { id } = await ada.say(roomId, "seen");
    const edited = await ada.patch(`/api/messages/${id}`, { content: INVISIBLE });
    expectProblem(edited, 422, "empty_message");
    const socket = await ada.socket();
    const client_id = Bun.randomUUIDv7();
    socket.send({ type: "message", room_id: roomId, content: INVISIBLE, client_id });
    expect(await socket.next("error")).toMatchObject({ code: "empty_message", client_id });
    socket.close();
    const response = await ada.post(`/api/rooms/${roomId}/incoming-webhooks`, { name: "CI" });
    const hook = await world.anonymous.post(new URL(response.body.url).pathname, {
      text: INVISIBLE,
    });
    expect([hook.status, hook.body]).toEqual([400, "no_text"]);
  });

  test("is no text beside an upload, and so is null by PATCH", async () => {
    const image = await ada.upload(`/api/rooms/${roomId}/images`, await picture("png"), "a.png");
    const message = await ada.say(roomId, INVISIBLE, { image_id: image.body.id });
    expect(message.content).toBeNull();
    const path = `/api/messages/${message.id}`;
    expect((await ada.patch(path, { content: "seen" })).body.content).toBe("seen");
    expect((await ada.patch(path, { content: null })).body.content).toBeNull();
    const { id } = await ada.say(roomId, "no upload");
    const answer = await ada.patch(`/api/messages/${id}`, { content: null });
    expectProblem(answer, 422, "empty_message");
  });
});

describe("an id in upper case", () => {
  test("names the same in paths, bodies, queries and frames", async () => {
    const bob = await world.person("bob");
    const upper = (id: string) => id.toUpperCase();
    const room = `/api/rooms/${upper(roomId)}`;
    const added = await ada.post(`${room}/members`, { user_id: upper(bob.user.id) });
    expect(added).toMatchObject({ status: 201, body: { user: { id: bob.user.id } } });
    const message = await ada.say(upper(roomId), "hello");
    expect(message.room_id).toBe(roomId);
    const around = await ada.get(`${room}/messages?around=${upper(message.id)}`);
    expect(around.body.items.map(({ id }: { id: string }) => id)).toContain(message.id);
    const audit = await ada.get(`/api/admin/audit-log?actor_id=${upper(ada.user.id)}`);
    expect(audit.body.items.length).toBeGreaterThan(0);
    const socket = await bob.socket();
    socket.send({ type: "join", room_id: upper(roomId) });
    expect(await socket.next("joined")).toMatchObject({ room_id: roomId });
    const client_id = upper(Bun.randomUUIDv7());
    socket.send({ type: "message", room_id: upper(roomId), content: "upper", client_id });
    expect(await socket.next("message")).toMatchObject({ room_id: roomId });
    // The sender's own word comes back as it was.
    expect(await socket.next("ack")).toMatchObject({ client_id });
    // Oneself by another spelling is still oneself: leaving, not removing.
    const response = await bob.delete(`${room}/members/${upper(bob.user.id)}`);
    expect(response.status).toBe(204);
    socket.close();
    expect((await ada.delete(`/api/messages/${upper(message.id)}`)).status).toBe(204);
  });
});

test("an archived room says what it refuses", async () => {
  const id = await world.room("archived", ada, [], "open");
  const { id: messageId } = await ada.say(id, "kept");
  const cy = await world.person("cy");
  await world.archive("archived", true);
  const refused = [
    [await ada.post(`/api/rooms/${id}/messages`, { content: "more" }), "posted"],
    [await ada.patch(`/api/messages/${messageId}`, { content: "more" }), "edited"],
    [await ada.post(`/api/messages/${messageId}/reactions`, { emoji: "👍" }), "reactions"],
    [await ada.upload(`/api/rooms/${id}/files`, new Uint8Array(3)), "uploaded"],
    [await ada.post(`/api/rooms/${id}/members`, { user_id: cy.user.id }), "added"],
    [await cy.post(`/api/rooms/${id}/join`), "join"],
  ] as const;
  for (const [answer, word] of refused) {
    expectProblem(answer, 409, "room_archived");
    expect(answer.body.detail).toContain(word);
  }
  const changed = await ada.patch(`/api/rooms/${id}`, { description: "closed", name: "older" });
  expect(changed.status).toBe(200);
  expect((await ada.delete(`/api/messages/${messageId}`)).status).toBe(204);
});
