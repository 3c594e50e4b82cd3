import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { createAccount, prepareUser } from "../../src/accounts/create-account.ts";
import { COMMAND_LINE } from "../../src/audit/write.ts";
import type { Section, Sections } from "../../src/wire/sections.ts";
import { Client, expectProblem } from "../support/client.ts";
import { PASSWORD, World } from "../support/world.ts";

const PATH = "/api/admin/settings/sections";
const OWN_PATH = "/api/auth/me/sections";

let world: World;
let admin: Client;
let count = 0;
/** Rooms: one that new accounts join, and another one. */
let hall: string;
let garage: string;
beforeAll(async () => {
  world = await World.start();
  admin = await world.person("ada", { isSiteAdmin: true });
  hall = await world.room("hall", admin, [], "open");
  garage = await world.room("garage", admin);
  await admin.patch(`/api/admin/rooms/${hall}`, { is_default: true });
});
beforeEach(() => save([]));
afterAll(() => world.stop());

const section = (name: string, room_ids: string[] = []): Section => ({
  id: crypto.randomUUID(),
  name,
  is_collapsed: false,
  room_ids,
});
const read = async (): Promise<Sections> => (await admin.get(PATH)).body;
async function save(sections: Section[]): Promise<Sections> {
  const { version } = await read();
  const { status, body } = await admin.put(PATH, { base_version: version, sections });
  expect(status).toBe(200);
  return body;
}
const readOwn = async (client: Client): Promise<Sections> => (await client.get(OWN_PATH)).body;

/** Signs up with a link, as people do. */
async function signUp(): Promise<Client> {
  const { body: link } = await admin.post("/api/admin/invite-links", {});
  const username = `person-${count++}`;
  const answer = await world.anonymous.post("/api/signup", {
    token: link.link.split("#token=")[1],
    username,
    email: `${username}@example.org`,
    password: PASSWORD,
  });
  expect(answer.status).toBe(201);
  await admin.delete(`/api/admin/invite-links/${link.id}`);
  const cookie = answer.headers.get("set-cookie")?.split(";")[0] ?? "";
  return new Client(world.service.address, cookie, answer.body);
}

describe("the default sections", () => {
  test("are none before they are set, and leave out conversations and unknown rooms", async () => {
    const fresh = await World.start();
    const ada = await fresh.person("ada", { isSiteAdmin: true });
    const ben = await fresh.person("ben");
    expect((await ada.get(PATH)).body).toEqual({ version: 0, sections: [] });
    const room = await fresh.room("secret", ben);
    const direct = (await ada.post("/api/direct", { user_ids: [ben.user.id] })).body.id;
    const wanted = section(" Projects ", [direct, room, crypto.randomUUID(), room]);
    const saved = { version: 1, sections: [{ ...wanted, name: "Projects", room_ids: [room] }] };
    const body = { base_version: 0, sections: [wanted] };
    expect((await ada.put(PATH, body)).body).toEqual(saved);
    expect((await ada.get(PATH)).body).toEqual(saved);
    await ben.delete(`/api/rooms/${room}`);
    expect((await ada.get(PATH)).body.sections).toMatchObject([{ room_ids: [] }]);
    await fresh.stop();
  });

  test("have one audit row for each change, and none for a refused one", async () => {
    const readRows = async () =>
      (await admin.get("/api/admin/audit-log?action=settings.sections")).body.items;
    const before = (await readRows()).length;
    const { version } = await save([section("Projects", [hall, garage]), section("Rest")]);
    for (const base_version of [version - 1, version + 1]) {
      const answer = await admin.put(PATH, { base_version, sections: [] });
      expectProblem(answer, 409, "sections_changed");
      expect(answer.body.current).toEqual(await read());
    }
    const invalid = { base_version: version, sections: [section(" ")] };
    expectProblem(await admin.put(PATH, invalid), 422, "validation");
    const rows = await readRows();
    expect(rows.length).toBe(before + 1);
    expect(rows[0]).toMatchObject({
      actor: { username: "ada" },
      details: {
        sections: [
          { name: "Projects", rooms: 2 },
          { name: "Rest", rooms: 0 },
        ],
      },
    });
  });

  test("are changed once by two administrators at once", async () => {
    const { version } = await read();
    const answers = await Promise.all(
      ["left", "right"].map((name) =>
        admin.put(PATH, { base_version: version, sections: [section(name)] }),
      ),
    );
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409]);
    expect(await read()).toEqual(answers.find(({ status }) => status === 200)?.body);
  });
});

describe("a new account", () => {
  test("starts with the default, with those of its rooms that it joins", async () => {
    const { sections } = await save([section("Projects", [garage, hall]), section("Rest")]);
    const [projects, rest] = sections as [Section, Section];
    const me = await signUp();
    const started = [{ ...projects, room_ids: [hall] }, rest];
    expect(await readOwn(me)).toEqual({ version: 0, sections: started });
    await admin.post(`/api/rooms/${garage}/members`, { user_id: me.user.id });
    expect((await readOwn(me)).sections).toEqual([projects, rest]);
    const changed = [{ ...projects, is_collapsed: true }];
    const answer = await me.put(OWN_PATH, { base_version: 0, sections: changed });
    expect(answer.body).toEqual({ version: 1, sections: changed });
  });

  test("keeps it when the default changes, and so do those who were there before", async () => {
    await save([section("Then", [hall])]);
    const me = await signUp();
    const before = await readOwn(me);
    await save([section("Now", [hall])]);
    expect(await readOwn(me)).toEqual(before);
    expect(await readOwn(admin)).toEqual({ version: 0, sections: [] });
    expect((await readOwn(await signUp())).sections).toMatchObject([{ name: "Now" }]);
  });

  test("joins a listed room after its own changes", async () => {
    const [projects, rest] = [section("Projects", [garage]), section("Rest")];
    await save([projects, rest]);
    const [me, other] = [await signUp(), await signUp()];
    await me.put(OWN_PATH, { base_version: 0, sections: [rest, projects] });
    await other.put(OWN_PATH, { base_version: 0, sections: [rest] });
    for (const { user } of [me, other]) {
      await admin.post(`/api/rooms/${garage}/members`, { user_id: user.id });
    }
    expect((await readOwn(me)).sections).toEqual([rest, projects]);
    expect((await readOwn(other)).sections).toEqual([rest]);
  });

  test("has a room that it left in no section after rejoining", async () => {
    await save([section("Projects", [hall])]);
    const me = await signUp();
    await me.post(`/api/rooms/${hall}/leave`);
    await me.post(`/api/rooms/${hall}/join`);
    expect(await readOwn(me)).toMatchObject({ version: 0, sections: [{ room_ids: [] }] });
  });

  test("that an operator creates has it too", async () => {
    await save([section("Projects", [garage])]);
    const params = { username: "eve", email: "eve@example.org", password: PASSWORD };
    const account = await prepareUser(params);
    const user = await world.database.db.transaction((tx) =>
      createAccount(tx, COMMAND_LINE, account),
    );
    const me = await world.signIn(user);
    expect((await readOwn(me)).sections).toMatchObject([{ name: "Projects", room_ids: [] }]);
  });
});
