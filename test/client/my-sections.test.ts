import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { addSection, renameSection } from "../../public/app/state/sidebar/section-changes.ts";
import type { Store } from "../../public/app/state/store/client-store.ts";
import type { Section } from "../../src/wire/sections.ts";
import type { Client } from "../support/client.ts";
import { SectionSaver } from "../../public/app/state/sidebar/section-saver.ts";
import { openStore, until } from "../support/store.ts";
import { Tabs } from "../support/tabs.ts";
import { World } from "../support/world.ts";

const PATH = "/api/auth/me/sections";

let world: World;
let ada: Client;
let store: Store;
let saver: SectionSaver;
let count = 0;
/** What happens to requests that save sections. */
let pass: (send: () => Promise<Response>) => Promise<Response>;
beforeAll(async () => {
  world = await World.start();
});
beforeEach(async () => {
  ada = await world.person(`ada-${count++}`);
  pass = (send) => send();
  store = await open();
  saver = attach(store);
});
afterAll(() => world.stop());

const attach = (to: Store) => to.attach((deps) => new SectionSaver(deps));

async function open(): Promise<Store> {
  const opened = openStore(
    () => ada.base,
    ada.cookie as string,
    undefined,
    new Tabs().open(),
    undefined,
    (path, send) => (path === PATH ? pass(send) : send()),
  );
  await opened.start();
  await until(opened, ({ personal: { sections } }) => sections !== null);
  return opened;
}

const section = (name: string, room_ids: string[] = []): Section => ({
  id: crypto.randomUUID(),
  name,
  is_collapsed: false,
  room_ids,
});
const names = (shown = store.state.value.personal.sections?.sections) =>
  shown?.map(({ name }) => name);
const saved = async () => names((await ada.get(PATH)).body.sections);
const save = async (sections: Section[]) => {
  const { version } = (await ada.get(PATH)).body;
  expect((await ada.put(PATH, { base_version: version, sections })).status).toBe(200);
};
const refuse = () => Promise.resolve(new Response("{}", { status: 503 }));

describe("my sections", () => {
  test("are shown with a change before it is saved, and the same after it", async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    pass = (send) => promise.then(send);
    const change = saver.change(addSection(section("Projects")));
    expect(names()).toEqual(["Projects"]);
    expect(await saved()).toEqual([]);
    resolve();
    await change;
    expect(names()).toEqual(["Projects"]);
    expect(await saved()).toEqual(["Projects"]);
    expect(store.state.value.personal.sections?.version).toBe(1);
  });

  test("are saved in the order of their changes", async () => {
    const first = section("one");
    await Promise.all([
      saver.change(addSection(first)),
      saver.change(addSection(section("two"))),
      saver.change(renameSection(first.id, "first")),
    ]);
    expect(names()).toEqual(["first", "two"]);
    expect(await saved()).toEqual(["first", "two"]);
  });

  test("have the changes of two devices at once", async () => {
    const other = await open();
    await Promise.all([
      saver.change(addSection(section("here"))),
      attach(other).change(addSection(section("there"))),
    ]);
    expect((await saved())?.toSorted()).toEqual(["here", "there"]);
    for (const client of [store, other]) {
      await until(client, ({ personal: { sections } }) => sections?.version === 2);
      expect(names(client.state.value.personal.sections?.sections)).toEqual(
        (await saved()) as string[],
      );
    }
    other.close();
  });

  test("are as they were if a change is not saved", async () => {
    await saver.change(addSection(section("Projects")));
    const send = pass;
    pass = refuse;
    const change = saver.change(addSection(section("More")));
    expect(names()).toEqual(["Projects", "More"]);
    await expect(change).rejects.toThrow();
    expect(names()).toEqual(["Projects"]);
    pass = send;
    await saver.change(addSection(section("Later")));
    expect(await saved()).toEqual(["Projects", "Later"]);
  });

  test("are changed on top of what was saved elsewhere, and an invalid change is refused", async () => {
    const mine = section("Mine");
    await saver.change(addSection(mine));
    await save([]);
    // Whether the event has arrived or not.
    await saver.change(renameSection(mine.id, "Ours"));
    expect(names()).toEqual([]);
    const invalid = saver.change(addSection(section(" ")));
    await expect(invalid).rejects.toMatchObject({ code: "validation" });
    expect(names()).toEqual([]);
  });

  test("are of nobody after the session has ended", async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    pass = (send) => promise.then(send);
    void saver.change(addSection(section("Projects")));
    await store.signOut();
    resolve();
    expect(store.state.value.personal.sections).toBeNull();
  });

  test("have a room of the sections with which accounts start as soon as it is joined", async () => {
    const owner = await world.person(`owner-${count++}`);
    const room = await world.room(`room-${count++}`, owner);
    const projects = section("Projects");
    await save([projects]);
    await until(store, ({ personal: { sections } }) => sections?.version === 1);
    await world.database.sql`insert into section_rooms (user_id, room_id, section_id, position)
      values (${ada.user.id}, ${room}, ${projects.id}, 1)`;
    await owner.post(`/api/rooms/${room}/members`, { user_id: ada.user.id });
    await until(store, ({ personal: { sections } }) => sections?.sections[0]?.room_ids[0] === room);
  });
});
