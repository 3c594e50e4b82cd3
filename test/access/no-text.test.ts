import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Scope } from "../../src/wire/scopes.ts";
import type { Client, Json } from "../support/client.ts";
import { people, World } from "../support/world.ts";
import { call, placesOf } from "./places.ts";
import { type Cast, ROOM_ROWS } from "./table.ts";

/** What a token without `read:messages` may call answers without what others wrote. */

const TEXT = "the member's";

let world: World;
let cast: Cast;
let newPlace: Awaited<ReturnType<typeof placesOf>>;
let bot: Client;
beforeAll(async () => {
  world = await World.start();
  cast = await people(world);
  newPlace = await placesOf(world, cast);
  bot = await world.bot("blind", ["write:messages", "manage:rooms"]);
});
afterAll(() => world.stop());

const withoutText = (answer: { body: Json }) =>
  expect(JSON.stringify(answer.body)).not.toContain(TEXT);

/** A room with a pinned message, which the bot owns. */
async function pinned() {
  const place = await newPlace("secret", [bot]);
  const setRole = (client: Client, role: string) => world.database.sql`
    update memberships set role = ${role}
    where room_id = ${place.room} and user_id = ${client.user.id}`;
  await setRole(cast.owner, "admin");
  await setRole(bot, "owner");
  expect(await cast.owner.put(`/api/messages/${place.message}/pin`, {})).toMatchObject({
    status: 200,
  });
  return place;
}

const READS: Scope = "read:messages";

describe("a token without read:messages sees no text of others", () => {
  test.each(
    ROOM_ROWS.filter(({ access }) => access !== READS).map((row) => [row.route, row] as const),
  )("from %s", async (route, row) => {
    const place = await pinned();
    withoutText(await call(bot, route, row.path(place), row.body(place)));
  });

  test("from the lists of rooms", async () => {
    const { room } = await pinned();
    await world.database.sql`update rooms set privacy = 'open' where id = ${room}`;
    for (const path of ["/api/rooms?all=true", "/api/rooms/browse"]) {
      const answer = await bot.get(path);
      expect(answer.body.items).toContainEqual(
        expect.objectContaining({ id: room, pin_count: 1, newest_pin: null }),
      );
      withoutText(answer);
    }
    expect((await cast.member.get(`/api/rooms/${room}`)).body.newest_pin.excerpt).toBe(TEXT);
  });

  test("in what it posts: a quote, a reply, a scheduled message", async () => {
    const { room, message } = await pinned();
    const path = `/api/rooms/${room}/messages`;
    for (const more of [{ quote_id: message }, { thread_id: message }]) {
      const answer = await bot.post(path, { content: "mine", ...more });
      expect(answer).toMatchObject({ status: 201, body: { content: "mine" } });
      withoutText(answer);
      const edited = await bot.patch(`/api/messages/${answer.body.id}`, { content: "mine too" });
      expect(edited).toMatchObject({ status: 200, body: { content: "mine too" } });
      withoutText(edited);
    }
    const scheduled = await bot.post("/api/scheduled", {
      room_id: room,
      content: "later",
      thread_id: message,
      send_at: new Date(Date.now() + 3_600_000).toISOString(),
      zone: "UTC",
    });
    expect(scheduled).toMatchObject({ status: 201 });
    const response = await bot.post(`/api/scheduled/${scheduled.body.id}/send-now`);
    expect(response).toMatchObject({ status: 201, body: { content: "later" } });
    withoutText(response);
  });

  test("in the title of a thread, unless it sets it", async () => {
    const { room, message } = await pinned();
    const path = `/api/messages/${message}/thread`;
    expect((await cast.owner.patch(path, { title: TEXT })).body.title).toBe(TEXT);
    const reply = { content: "mine", thread_id: message };
    for (const answer of [
      await bot.patch(path, { is_resolved: true }),
      await bot.post(`/api/rooms/${room}/messages`, reply),
      await bot.put(`/api/messages/${message}/pin`, {}),
    ]) {
      expect([200, 201]).toContain(answer.status);
      withoutText(answer);
    }
    expect((await bot.patch(path, { title: "its own" })).body.title).toBe("its own");
  });

  test("in the ack of a frame", async () => {
    const { room, message } = await pinned();
    const socket = await bot.socket();
    const [content, client_id] = ["quoting", Bun.randomUUIDv7()];
    socket.send({ type: "message", room_id: room, content, quote_id: message, client_id });
    withoutText({ body: await socket.next("ack") });
    await socket.drain();
    socket.close();
  });

  test("in a conversation", async () => {
    const { member } = cast;
    await pinned();
    const { body: direct } = await bot.post("/api/direct", { user_ids: [member.user.id] });
    const { id } = await member.say(direct.id, TEXT);
    await member.put(`/api/messages/${id}/pin`, {});
    const again = await bot.post("/api/direct", { user_ids: [member.user.id] });
    expect(again).toMatchObject({ status: 200, body: { pin_count: 1, newest_pin: null } });
    withoutText(await bot.patch(`/api/rooms/${direct.id}/membership`, { notify: "none" }));
  });
});
