import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Service } from "../../src/service.ts";
import { type Client, expectProblem } from "../support/client.ts";
import { people, World } from "../support/world.ts";

let world: World;
let cast: Awaited<ReturnType<typeof people>>;
let other: Service;
beforeAll(async () => {
  world = await World.start();
  cast = await people(world);
  other = await world.secondInstance();
});
afterAll(() => world.stop());

const react = (client: Client, messageId: string, emoji: string) =>
  client.post(`/api/messages/${messageId}/reactions`, { emoji });
/** Twenty that are different, and one more. */
const MANY = [..."😀😁😂🤣😃😄😅😆😉😊😋😎😍😘🥰😗😙😚🙂🤗🤩"];

describe("a reaction", () => {
  test("comes and goes with each call, and the list is whole and by first use", async () => {
    const { member, owner, rooms } = cast;
    const { id } = await member.say(rooms.secret, "well?");
    const [m, o] = [member.user.id, owner.user.id];
    expect(await react(owner, id, "🎉")).toMatchObject({
      status: 200,
      body: { active: true, reactions: [{ emoji: "🎉", count: 1, user_ids: [o] }] },
    });
    await react(member, id, "👍🏽");
    expect((await react(member, id, "🎉")).body).toEqual({
      active: true,
      reactions: [
        { emoji: "🎉", count: 2, user_ids: [o, m] },
        { emoji: "👍🏽", count: 1, user_ids: [m] },
      ],
    });
    const last = await react(owner, id, "🎉");
    expect(last.body).toEqual({
      active: false,
      reactions: expect.arrayContaining([
        { emoji: "👍🏽", count: 1, user_ids: [m] },
        { emoji: "🎉", count: 1, user_ids: [m] },
      ]),
    });
    const read = await owner.get(`/api/messages/${id}`);
    expect(read.body.reactions).toEqual(last.body.reactions);
    const history = await owner.get(`/api/rooms/${rooms.secret}/messages?limit=1`);
    expect(history.body.items[0].reactions).toEqual(last.body.reactions);
  });

  test("that was the last leaves a message that embeds nothing", async () => {
    const { member, rooms } = cast;
    const message = await member.say(rooms.secret, "plain");
    await react(member, message.id, "👀");
    expect((await react(member, message.id, "👀")).body).toEqual({ reactions: [], active: false });
    expect((await member.get(`/api/messages/${message.id}`)).body).toEqual(message);
    const [row] = await world.database.sql<{ has_embeds: boolean }[]>`
      select has_embeds from messages where id = ${message.id}`;
    expect(row?.has_embeds).toBe(false);
  });

  test.each(["👍", "❤️", "👨‍👩‍👧‍👦", "🇩🇪", "1️⃣", "🏴󠁧󠁢󠁥󠁮󠁧󠁿", "🧑🏿‍🚀"])("is one emoji: %s", async (emoji) => {
    const { id } = await cast.member.say(cast.rooms.secret, "one");
    expect((await react(cast.member, id, emoji)).status).toBe(200);
  });

  test.each([
    "",
    "a",
    "1",
    "#",
    "👍👍",
    " 👍",
    "🇩",
    "❤",
    "<b>",
    "👍\n",
    "\u{1F3FD}\u{200D}",
    ":tada:",
  ])("is nothing else: %j", async (emoji) => {
    const { id } = await cast.member.say(cast.rooms.secret, "none");
    expectProblem(await react(cast.member, id, emoji), 422, "validation");
  });

  test("is one of twenty different ones; those that are there can be joined", async () => {
    const { member, owner, rooms } = cast;
    const { id } = await member.say(rooms.secret, "many");
    for (const emoji of MANY.slice(0, 19)) await react(member, id, emoji);
    // Two at once for the one place that is left.
    const answers = await Promise.all([
      react(member, id, MANY[19] as string),
      react(owner, id, MANY[20] as string),
    ]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
    for (const answer of answers) {
      if (answer.status === 409) expectProblem(answer, 409, "too_many_reactions");
    }
    const joined = await react(owner, id, MANY[0] as string);
    expect(joined.body.reactions).toHaveLength(20);
    expect(joined.body.reactions.map(({ emoji }: { emoji: string }) => emoji).slice(0, 19)).toEqual(
      MANY.slice(0, 19),
    );
  });

  test("by two at once, on two instances, is counted for both", async () => {
    const { member, owner, rooms } = cast;
    const { id } = await member.say(rooms.secret, "at once");
    const elsewhere = await world.signIn(owner.user, other);
    await Promise.all([react(member, id, "🔥"), react(elsewhere, id, "🔥")]);
    const { body } = await member.get(`/api/messages/${id}`);
    expect(body.reactions).toEqual([
      {
        emoji: "🔥",
        count: 2,
        user_ids: expect.arrayContaining([member.user.id, owner.user.id]),
      },
    ]);
  });

  test("by one at once, an even number of times, comes to nothing", async () => {
    const { member, rooms } = cast;
    const { id } = await member.say(rooms.secret, "to and fro");
    const elsewhere = await world.signIn(member.user, other);
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, i) => react(i % 2 ? member : elsewhere, id, "🔁")),
    );
    expect(answers.filter(({ body }) => body.active)).toHaveLength(5);
    expect((await member.get(`/api/messages/${id}`)).body.reactions).toEqual([]);
  });

  test("is refused in an archived room, and of a message that is not there", async () => {
    const { owner } = cast;
    const roomId = await world.room("archive-react", owner);
    const { id } = await owner.say(roomId, "late");
    await react(owner, id, "👍");
    await world.archive("archive-react", true);
    expectProblem(await react(owner, id, "👍"), 409, "room_archived");
    expect((await owner.get(`/api/messages/${id}`)).body.reactions).toHaveLength(1);
    expectProblem(await react(owner, Bun.randomUUIDv7(), "👍"), 404, "message_not_found");
  });

  test("goes with its message", async () => {
    const { member, rooms } = cast;
    const { id } = await member.say(rooms.secret, "@owner #open-room");
    await react(member, id, "👍");
    expect((await member.delete(`/api/messages/${id}`)).status).toBe(204);
    const rows = await world.database.sql`
      select 1 from message_reactions where message_id = ${id} union all
      select 1 from message_mentions where message_id = ${id} union all
      select 1 from message_room_references where message_id = ${id}`;
    expect([...rows]).toEqual([]);
  });
});

describe("over the socket", () => {
  test("a react frame toggles, and the room receives the whole list, in the order of its log", async () => {
    const { member, owner, rooms } = cast;
    const { id } = await member.say(rooms.secret, "react here");
    const elsewhere = await world.signIn(owner.user, other);
    const [mine, theirs] = [await member.socket(), await elsewhere.socket()];
    await mine.join(rooms.secret);
    await theirs.join(rooms.secret);
    mine.send({ type: "react", message_id: id, emoji: "✅", ref: "r1" });
    expect(await mine.next("ack")).toEqual({ type: "ack", ref: "r1" });
    theirs.send({ type: "react", message_id: id, emoji: "✅" });
    expect(await theirs.next("ack")).toEqual({ type: "ack", ref: null });
    const whole = [{ emoji: "✅", count: 2, user_ids: [member.user.id, owner.user.id] }];
    const isWhole = (event: { type: string; reactions?: { count: number }[] }) =>
      event.type === "reaction" && event.reactions?.[0]?.count === 2;
    for (const socket of [mine, theirs]) {
      expect(await socket.next(isWhole)).toEqual({
        type: "reaction",
        room_id: rooms.secret,
        seq: expect.any(Number),
        message_id: id,
        reactions: whole,
      });
      socket.close();
    }
  });

  test("a react frame is refused with the codes that REST uses", async () => {
    const { member, outsider, rooms } = cast;
    const { id } = await member.say(rooms.secret, "not yours");
    const socket = await outsider.socket();
    const refusals = [
      [{ message_id: id, emoji: "👍" }, "message_not_found"],
      [{ message_id: id, emoji: "no" }, "validation"],
      [{ message_id: id }, "validation"],
    ] as const;
    for (const [fields, code] of refusals) {
      socket.send({ type: "react", ref: "r2", ...fields });
      expect(await socket.next("error")).toMatchObject({ code, ref: "r2" });
    }
    socket.close();
  });
});
