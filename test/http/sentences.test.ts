import { afterAll, beforeAll, expect, test } from "bun:test";
import { type Client, expectProblem } from "../support/client.ts";
import { World } from "../support/world.ts";

let world: World;
let ada: Client;
let roomId: string;
beforeAll(async () => {
  world = await World.start();
  ada = await world.person("ada", { isSiteAdmin: true });
  roomId = await world.room("sentences", ada);
});
afterAll(() => world.stop());

const messages = () => `/api/rooms/${roomId}/messages`;

/** Of each kind of mistake, what a person reads. */
const SAID: [ask: () => ReturnType<Client["get"]>, detail: string][] = [
  [
    () => ada.post(messages(), { content: "😀".repeat(8_001) }),
    "`content` must be text of at most 8,000 characters.",
  ],
  [
    () => ada.post(messages(), { content: "a".repeat(8_001) }),
    "A message can have at most 8,000 characters. Shorten it.",
  ],
  [() => ada.post(messages(), { image_id: "x" }), "`image_id` must be a UUID."],
  [() => ada.post("/api/rooms", { name: "x" }), "`privacy` is missing."],
  [
    () => ada.post("/api/rooms", { name: "x", privacy: 1 }),
    '`privacy` must be one of "open", "private".',
  ],
  [() => ada.post("/api/rooms", []), "The body must be a JSON object."],
  [() => ada.post("/api/rooms"), "The body must be a JSON object."],
  [() => ada.get("/api/users?limit=1000"), "`limit` must be a whole number from 1 to 200."],
  [() => ada.get("/api/users?limit=a&limit=b"), "`limit` can only be given once."],
  [
    () => ada.get(`/api/rooms/${roomId}/changes?after=9223372036854775807`),
    "`after` must be a whole number from 0 on.",
  ],
  [() => ada.get(`${messages()}?at=tomorrow`), "`at` must be a time such as 2026-01-31T12:00:00Z."],
  [() => ada.get(`${messages()}?at=0000-01-01T00:00:00Z`), "There is no such time."],
  [
    () => ada.put("/api/admin/settings/uploads", { max_bytes: 1 }),
    "`max_bytes` must be a whole number from 1024 to 1073741824.",
  ],
  [
    () => ada.post("/api/custom-themes", { name: "x", is_dark: 1, colors: {} }),
    "`colors.background` is missing.",
  ],
];

test.each(SAID)("what is not valid is said in a sentence: %#", async (ask, detail) => {
  const answer = await ask();
  expectProblem(answer, 422, "validation");
  expect(answer.body.detail).toBe(detail);
  for (const { message } of answer.body.errors) expect(message).toEndWith(".");
});

test("a frame is refused in the same words", async () => {
  const socket = await ada.socket();
  socket.send({ type: "join", room_id: roomId, seq: 1e20 });
  const { detail } = await socket.next("error");
  expect(detail).toBe("`seq` must be a whole number from 0 on.");
  socket.close();
});
