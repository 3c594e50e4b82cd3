import { afterAll, beforeAll, expect, test } from "bun:test";
import { parseMessage } from "../../src/messages/new-message.ts";
import { insertMessages } from "../../src/messages/insert.ts";
import type { PostMessage } from "../../src/wire/requests.ts";
import type { Client } from "../support/client.ts";
import { World } from "../support/world.ts";

let world: World;
let ada: Client;
let roomId: string;
beforeAll(async () => {
  world = await World.start();
  ada = await world.person("ada");
  roomId = await world.room("both", ada);
});
afterAll(() => world.stop());

const author = () => ({ id: ada.user.id, sessionId: null, token: null });

async function insert(...bodies: PostMessage[]) {
  const messages = bodies.map((body) => parseMessage(author(), roomId, body, null));
  return insertMessages(world.database.sql, Bun.randomUUIDv7(), messages, false);
}

/** What differs between any two messages. */
const OWN = { id: "", seq: 0, created_at: "", room_seq: 0 };

test("a plain message is the same, whether or not another of its batch needs more", async () => {
  const [alone] = await insert({ content: "plain" });
  const [beside] = await insert({ content: "plain" }, { content: "hello @ada" });
  if (!alone || alone instanceof Error || !beside || beside instanceof Error) throw alone;
  const read = async (id: string) => (await ada.get(`/api/messages/${id}`)).body;
  const expected = { ...(await read(alone.row.id)), ...OWN };
  expect({ ...(await read(beside.row.id)), ...OWN }).toEqual(expected);
  expect(expected.content).toBe("plain");
  expect([alone.row.has_embeds, beside.row.has_embeds]).toEqual([false, false]);
});

test("a refusal is the same, whether or not another of its batch needs more", async () => {
  const lost = Bun.randomUUIDv7();
  for (const more of [[], [{ content: "hello @ada" }]]) {
    const messages = [{ content: "lost" }, ...more].map((body, n) =>
      parseMessage(author(), n === 0 ? lost : roomId, body, null),
    );
    const written = await insertMessages(world.database.sql, Bun.randomUUIDv7(), messages, false);
    expect(written[0]).toMatchObject({ code: "room_not_found" });
    expect(written.slice(1).some((result) => result instanceof Error)).toBe(false);
  }
});
