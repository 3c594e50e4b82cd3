import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { deleteRoom } from "../../src/rooms/delete.ts";
import { removeMembership } from "../../src/rooms/membership.ts";
import { lockRoomRow } from "../../src/rooms/access.ts";
import { MAX_SECTION_NAME_LENGTH, MAX_SECTION_ROOMS, MAX_SECTIONS } from "../../src/wire/limits.ts";
import type { Section } from "../../src/wire/sections.ts";
import { commitDuring } from "../support/blocked.ts";
import { type Client, expectProblem } from "../support/client.ts";
import { World } from "../support/world.ts";

const PATH = "/api/auth/me/sections";

let world: World;
let owner: Client;
let ada: Client;
let rooms = 0;
beforeAll(async () => {
  world = await World.start();
  [owner, ada] = await Promise.all([world.person("owner"), world.person("ada")]);
});
afterAll(() => world.stop());

const newRoom = (members: Client[] = [ada]) => world.room(`room-${rooms++}`, owner, members);
const section = (name: string, room_ids: string[] = [], more: Partial<Section> = {}): Section => ({
  id: crypto.randomUUID(),
  name,
  is_collapsed: false,
  room_ids,
  ...more,
});
const save = (client: Client, base_version: number, sections: unknown[]) =>
  client.put(PATH, { base_version, sections });
const read = async (client: Client) => (await client.get(PATH)).body;
/** Somebody who has changed nothing yet. */
const newcomer = () => world.person(`newcomer-${rooms++}`);

describe("sections", () => {
  test("are none before the first change, and as they were saved after it", async () => {
    const me = await newcomer();
    const room = await newRoom([me]);
    expect(await read(me)).toEqual({ version: 0, sections: [] });
    const sections = [
      section("Projects", [room], { is_collapsed: true }),
      section("Everything else"),
    ];
    expect(await save(me, 0, sections)).toMatchObject({
      status: 200,
      body: { version: 1, sections },
    });
    expect(await read(me)).toEqual({ version: 1, sections });
    const turned = sections.toReversed();
    expect((await save(me, 1, turned)).body).toEqual({ version: 2, sections: turned });
    expect((await save(me, 2, [])).body).toEqual({ version: 3, sections: [] });
    expect(await read(me)).toEqual({ version: 3, sections: [] });
  });

  test("are private", async () => {
    const [me, other] = [await newcomer(), await newcomer()];
    const mine = section("Secret plans");
    await save(me, 0, [mine]);
    expect(await read(other)).toEqual({ version: 0, sections: [] });
    // Ids are of one person: another's sections can have the same.
    expect((await save(other, 0, [{ ...mine, name: "Mine" }])).status).toBe(200);
    expect((await read(me)).sections).toEqual([mine]);
  });

  test("keep the order of rooms and conversations", async () => {
    const me = await newcomer();
    const ids = [await newRoom([me]), await newRoom([me]), await newRoom([me])];
    const direct = (await me.post("/api/direct", { user_ids: [ada.user.id] })).body.id;
    const sections = [
      section("A", [ids[2], direct, ids[0]] as string[]),
      section("B", [ids[1] as string]),
    ];
    await save(me, 0, sections);
    expect((await read(me)).sections).toEqual(sections);
  });

  test("list a room once, where it is first", async () => {
    const me = await newcomer();
    const [first, second] = [await newRoom([me]), await newRoom([me])];
    const one = section("One", [first, second, first]);
    const two = section("Two", [second.toUpperCase(), first]);
    expect((await save(me, 0, [one, two])).body.sections).toEqual([
      { ...one, room_ids: [first, second] },
      { ...two, room_ids: [] },
    ]);
  });

  test("leave out rooms that the caller is not in, whether they exist or not", async () => {
    const me = await newcomer();
    const own = await newRoom([me]);
    const foreign = await newRoom([]);
    const open = await world.room(`open-${rooms++}`, owner, [], "open");
    const sections = [section("All", [foreign, own, open, crypto.randomUUID()])];
    expect((await save(me, 0, sections)).body.sections).toMatchObject([{ room_ids: [own] }]);
    // Neither does a later membership bring them in.
    await owner.post(`/api/rooms/${foreign}/members`, { user_id: me.user.id });
    expect((await read(me)).sections).toMatchObject([{ room_ids: [own] }]);
  });

  test("lose a room that is left, and do not have it after rejoining", async () => {
    const me = await newcomer();
    const [left, stays] = [await newRoom([me]), await newRoom([me])];
    await save(me, 0, [section("All", [left, stays])]);
    await me.post(`/api/rooms/${left}/leave`);
    expect(await read(me)).toMatchObject({ version: 1, sections: [{ room_ids: [stays] }] });
    await owner.post(`/api/rooms/${left}/members`, { user_id: me.user.id });
    expect((await read(me)).sections).toMatchObject([{ room_ids: [stays] }]);
  });

  test("lose a conversation that is left", async () => {
    const [me, other] = [await newcomer(), await newcomer()];
    const people = { user_ids: [ada.user.id, other.user.id] };
    const group = (await me.post("/api/direct", people)).body.id;
    await save(me, 0, [section("All", [group])]);
    expect((await read(me)).sections).toMatchObject([{ room_ids: [group] }]);
    await me.post(`/api/direct/${group}/leave`);
    expect((await read(me)).sections).toMatchObject([{ room_ids: [] }]);
  });

  test.each([1, 2_000])("lose a deleted room with a log of %p entries", async (length) => {
    const me = await newcomer();
    const room = await newRoom([me]);
    await save(me, 0, [section("All", [room])]);
    await world.database.sql`update rooms set last_seq = ${length} where id = ${room}`;
    await deleteRoom(world.database.db, owner.user.id, room);
    expect((await read(me)).sections).toMatchObject([{ room_ids: [] }]);
    const rows = await world.database.sql`select from section_rooms where room_id = ${room}`;
    expect(rows.count).toBe(0);
  });

  test("keep a conversation that becomes a room", async () => {
    const [me, other] = [await newcomer(), await newcomer()];
    const people = { user_ids: [ada.user.id, other.user.id] };
    const group = (await me.post("/api/direct", people)).body.id;
    await save(me, 0, [section("All", [group])]);
    await me.post(`/api/direct/${group}/room`, { name: `made-${rooms++}` });
    expect((await read(me)).sections).toMatchObject([{ room_ids: [group] }]);
  });
});

describe("a change of sections", () => {
  test("that follows another version is refused with the current sections", async () => {
    const me = await newcomer();
    const current = { version: 1, sections: [section("Mine", [await newRoom([me])])] };
    await save(me, 0, current.sections);
    for (const version of [0, 2]) {
      const answer = await save(me, version, []);
      expectProblem(answer, 409, "sections_changed");
      expect(answer.body.current).toEqual(current);
    }
    expect(await read(me)).toEqual(current);
  });

  test("of two devices at once is that of one of them", async () => {
    const me = await newcomer();
    for (const version of [0, 1]) {
      const answers = await Promise.all(
        ["left", "right", "phone"].map((name) => save(me, version, [section(name)])),
      );
      expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409, 409]);
      const saved = answers.find(({ status }) => status === 200)?.body;
      expect(saved.version).toBe(version + 1);
      expect(await read(me)).toEqual(saved);
      for (const { status, body } of answers) {
        if (status === 409) expect(body.current).toEqual(saved);
      }
    }
  });

  test("does not bring back a room that is left meanwhile", async () => {
    const me = await newcomer();
    const room = await newRoom([me]);
    const answer = await commitDuring(
      world,
      async (tx) => {
        await lockRoomRow(tx, room);
        await removeMembership(tx, room, me.user.id, me.user.id);
      },
      () => save(me, 0, [section("All", [room])]),
    );
    expect(answer.body.sections).toMatchObject([{ room_ids: [] }]);
    await owner.post(`/api/rooms/${room}/members`, { user_id: me.user.id });
    expect((await read(me)).sections).toMatchObject([{ room_ids: [] }]);
  });

  test("of a room that is deleted meanwhile succeeds without it", async () => {
    const me = await newcomer();
    const [gone, stays] = [await newRoom([me]), await newRoom([me])];
    const results = await Promise.all([
      save(me, 0, [section("All", [gone, stays])]),
      deleteRoom(world.database.db, owner.user.id, gone),
    ]);
    expect(results[0].status).toBe(200);
    expect((await read(me)).sections).toMatchObject([{ room_ids: [stays] }]);
  });

  test.each<[string, () => unknown]>([
    ["an empty name", () => [section("")]],
    ["a name of spaces", () => [section("  \u200b ")]],
    ["a name of two lines", () => [section("one\ntwo")]],
    ["a name that is too long", () => [section("x".repeat(MAX_SECTION_NAME_LENGTH + 1))]],
    ["a name that changes the direction of text", () => [section("a\u202eb")]],
    ["no name", () => [{ ...section("x"), name: undefined }]],
    ["an id that is not a UUID", () => [section("x", [], { id: "first" })]],
    ["a room's id that is not a UUID", () => [section("x", ["general"])]],
    [
      "two sections with one id",
      () => {
        const id = "5f0c2a54-6c1b-4d3e-8d0a-2f6f0f6f1a12";
        return [section("x", [], { id }), section("y", [], { id: id.toUpperCase() })];
      },
    ],
    [
      "too many sections",
      () => Array.from({ length: MAX_SECTIONS + 1 }, (_, n) => section(`${n}`)),
    ],
    [
      "too many rooms",
      () => [section("x", Array(MAX_SECTION_ROOMS + 1).fill(crypto.randomUUID()))],
    ],
    ["no list", () => ({})],
  ])("with %s is refused", async (_, makeSections) => {
    const me = await newcomer();
    expectProblem(
      await me.put(PATH, { base_version: 0, sections: makeSections() }),
      422,
      "validation",
    );
    expect(await read(me)).toEqual({ version: 0, sections: [] });
  });

  test.each([-1, 0.5, "0", null, 1e20])("with the version %p is refused", async (version) => {
    expectProblem(await ada.put(PATH, { base_version: version, sections: [] }), 422, "validation");
  });

  test("names the invalid field", async () => {
    const { body } = await save(ada, 0, [section("fine"), section(" ")]);
    expect(body.errors).toMatchObject([{ path: "/sections/1/name" }]);
  });

  test("trims names, and counts characters rather than code units", async () => {
    const me = await newcomer();
    const name = "😀".repeat(MAX_SECTION_NAME_LENGTH);
    expect((await save(me, 0, [section(`  ${name} `)])).body.sections[0].name).toBe(name);
  });

  test("may have fifty sections", async () => {
    const me = await newcomer();
    const sections = Array.from({ length: MAX_SECTIONS }, (_, n) => section(`Section ${n}`));
    expect((await save(me, 0, sections)).body.sections).toEqual(sections);
  });
});

describe("sockets", () => {
  test("of the user alone receive each version, in order, on every instance", async () => {
    const [me, other] = [await newcomer(), await newcomer()];
    const second = await world.secondInstance();
    const elsewhere = await world.signIn(me.user, second);
    const [here, there, others] = await Promise.all([
      me.socket(),
      elsewhere.socket(),
      other.socket(),
    ]);
    for (const version of [0, 1, 2]) {
      const client = version % 2 === 0 ? me : elsewhere;
      expect((await save(client, version, [section(`${version}`)])).status).toBe(200);
    }
    expectProblem(await save(elsewhere, 0, []), 409, "sections_changed");
    expect(await read(elsewhere)).toEqual(await read(me));
    for (const socket of [here, there]) {
      for (const version of [1, 2, 3]) {
        expect(await socket.next("sections_updated")).toEqual({
          type: "sections_updated",
          version,
        });
      }
      expect((await socket.drain()).filter(({ type }) => type === "sections_updated")).toEqual([]);
    }
    expect((await others.drain()).map(({ type }) => type)).not.toContain("sections_updated");
    for (const socket of [here, there, others]) socket.close();
  });
});

test("an account's sections are deleted with it", async () => {
  const me = await newcomer();
  await save(me, 0, [section("All", [await newRoom([me])])]);
  const { sql } = world.database;
  await sql`delete from memberships where user_id = ${me.user.id}`;
  await sql`delete from users where id = ${me.user.id}`;
  expect((await sql`select from section_rooms where user_id = ${me.user.id}`).count).toBe(0);
});
