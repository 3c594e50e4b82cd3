import { afterAll, beforeAll, expect, test } from "bun:test";
import { parseMessage } from "../../src/messages/new-message.ts";
import { insertMessages } from "../../src/messages/insert.ts";
import type { Code } from "../../src/wire/codes.ts";
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

/** Each changes the world so that ada's message is refused, and changes it back. */
const REFUSALS: [Code, string, string][] = [
  [
    "room_not_found",
    "delete from memberships where user_id = $1 and room_id = $2",
    "insert into memberships (user_id, room_id, role) values ($1, $2, 'owner')",
  ],
  [
    "room_archived",
    "update rooms set is_archived = $1::uuid is not null where id = $2",
    "update rooms set is_archived = $1::uuid is null where id = $2",
  ],
  [
    "unauthenticated",
    "update users set is_active = $2::uuid is null where id = $1",
    "update users set is_active = $2::uuid is not null where id = $1",
  ],
];

test.each(REFUSALS)("%s is the same for both statements", async (code, change, back) => {
  const { sql } = world.database;
  await sql.unsafe(change, [ada.user.id, roomId]);
  for (const more of [[], [{ content: "hello @ada" }]]) {
    const written = await insert({ content: "refused" }, ...more);
    for (const result of written) expect(result).toMatchObject({ code });
  }
  await sql.unsafe(back, [ada.user.id, roomId]);
});

test("a repeated message is the same for both statements", async () => {
  const client_id = crypto.randomUUID();
  const [first] = await insert({ content: "first", client_id });
  if (!first || first instanceof Error) throw first;
  for (const more of [[], [{ content: "hello @ada" }]]) {
    const [repeated] = await insert({ content: "again", client_id }, ...more);
    expect(repeated).toMatchObject({ isNew: false, row: { id: first.row.id } });
  }
});

test("an ended session is the same for both statements", async () => {
  const session = { ...author(), sessionId: crypto.randomUUID() };
  for (const content of ["plain", "hello @ada"]) {
    const message = parseMessage(session, roomId, { content }, null);
    const written = await insertMessages(world.database.sql, Bun.randomUUIDv7(), [message], false);
    expect(written[0]).toMatchObject({ code: "unauthenticated" });
  }
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
