import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Code } from "../../src/wire/codes.ts";
import { type Client, expectProblem } from "../support/client.ts";
import { World } from "../support/world.ts";

let world: World;
let owner: Client;
beforeAll(async () => {
  world = await World.start();
  owner = await world.person("owner");
});
afterAll(() => world.stop());

/** Ways in which a credential ends that no process is notified of. */
const ENDS: [string, "person" | "bot", string, number, Code][] = [
  [
    "a session that is gone",
    "person",
    "delete from sessions where user_id = $1",
    401,
    "unauthenticated",
  ],
  [
    "a session that has expired",
    "person",
    "update sessions set expires_at = now() where user_id = $1",
    401,
    "unauthenticated",
  ],
  [
    "a session that needs a second factor",
    "person",
    "update sessions set is_restricted = true where user_id = $1",
    403,
    "second_factor_required",
  ],
  [
    "a person who is deactivated",
    "person",
    "update users set is_active = false where id = $1",
    401,
    "unauthenticated",
  ],
  [
    "a token that was revoked",
    "bot",
    "update api_tokens set revoked_at = now() where user_id = $1",
    401,
    "invalid_token",
  ],
  [
    "a token that has expired",
    "bot",
    "update api_tokens set expires_at = now() where user_id = $1",
    401,
    "invalid_token",
  ],
  [
    "a bot that is deactivated",
    "bot",
    "update users set is_active = false where id = $1",
    401,
    "invalid_token",
  ],
];

describe("someone who has just posted", () => {
  test.each(ENDS)("posts nothing more with %s", async (_, kind, end, status, code) => {
    const name = `ended-${ENDS.findIndex(([, of, how]) => of === kind && how === end)}`;
    const writer =
      kind === "person" ? await world.person(name) : await world.bot(name, ["write:messages"]);
    const room = await world.room(name, owner, [writer]);
    const post = (body: object) => writer.post(`/api/rooms/${room}/messages`, body);
    await writer.say(room, "first");
    const client_id = crypto.randomUUID();
    await writer.say(room, "second", { client_id });
    await world.database.sql.unsafe(end, [writer.user.id]);
    // Whatever else is wrong with it, and where it would be answered with the first message.
    for (const body of [
      { content: "third" },
      { content: "" },
      {},
      { content: "second", client_id },
    ]) {
      expectProblem(await post(body), status, code);
    }
    const elsewhere = `/api/rooms/${crypto.randomUUID()}/messages`;
    expectProblem(await writer.post(elsewhere, { content: "third" }), status, code);
    const { body } = await owner.get(`/api/rooms/${room}/messages`);
    expect(body.items.map((item: { content: string }) => item.content)).toEqual([
      "first",
      "second",
    ]);
  });

  test("is refused for what is wrong with the message", async () => {
    const writer = await world.person("writer");
    const room = await world.room("errors", owner, [writer]);
    await writer.say(room, "first");
    const post = (to: string, body: object) => writer.post(`/api/rooms/${to}/messages`, body);
    expectProblem(await post(room, { content: " " }), 422, "empty_message");
    expectProblem(await post(room, {}), 422, "empty_message");
    expectProblem(await post("x", { content: "second" }), 404, "not_found");
    expectProblem(await post(crypto.randomUUID(), { content: "second" }), 404, "room_not_found");
    await writer.say(room, "second");
  });
});
