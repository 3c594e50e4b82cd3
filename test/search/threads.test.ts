import { afterAll, beforeAll, expect, test } from "bun:test";
import { type Client, expectProblem } from "../support/client.ts";
import { findTexts, indexEverything, search } from "../support/search.ts";
import { reply } from "../support/threads.ts";
import { World } from "../support/world.ts";

let world: World;
let ada: Client;
let bob: Client;
let room: string;
beforeAll(async () => {
  world = await World.start();
  ada = await world.person("ada");
  bob = await world.person("bob");
  room = await world.room("general", ada, [bob]);
});
afterAll(() => world.stop());

test("threads are found by their titles, roots and replies, and searched alone", async () => {
  const root = await ada.say(room, "heron root");
  await reply(bob, root, "heron reply");
  await reply(ada, root, "another reply");
  await ada.say(room, "heron alone");
  await indexEverything(world.database);
  expect(await findTexts(bob, "heron")).toEqual(["heron alone", "heron reply", "heron root"]);
  expect(await findTexts(bob, "heron has:thread")).toEqual(["heron root"]);
  expect(await findTexts(bob, "", { has: "thread" })).toEqual(["heron root"]);
  expect(await findTexts(bob, "heron is:reply")).toEqual(["heron reply"]);
  expect(await findTexts(bob, "heron -is:reply -has:thread")).toEqual(["heron alone"]);
  const [found] = (await search(bob, { q: "heron is:reply" })).items;
  expect(found?.message).toMatchObject({ thread_id: root.id, root: { id: root.id } });
  // In one thread, by its root or one of its replies.
  for (const thread_id of [root.id, found?.message.id ?? ""]) {
    expect(await findTexts(bob, "", { thread_id })).toEqual([
      "another reply",
      "heron reply",
      "heron root",
    ]);
    expect(await findTexts(bob, "heron", { thread_id })).toEqual(["heron reply", "heron root"]);
  }
  const other = await world.room("other", bob);
  expect(await findTexts(bob, "heron", { thread_id: root.id, room_id: other })).toEqual([]);

  await ada.patch(`/api/messages/${root.id}/thread`, { title: "Wading birds" });
  await indexEverything(world.database);
  expect(await findTexts(bob, "wading birds")).toEqual(["heron root"]);
  await ada.patch(`/api/messages/${root.id}/thread`, { title: "Ducks" });
  // Before the index knows it, too.
  expect(await findTexts(bob, "wading birds")).toEqual([]);
  await indexEverything(world.database);
  expect(await findTexts(bob, "ducks")).toEqual(["heron root"]);
});

test("nothing of a deleted root is found, with an index that is behind or not", async () => {
  const root = await ada.say(room, "a stork nests");
  await reply(bob, root, "where does the stork nest?");
  await ada.patch(`/api/messages/${root.id}/thread`, { title: "Storks of the tower" });
  await indexEverything(world.database);
  await ada.delete(`/api/messages/${root.id}`);
  for (const q of ["nests", "tower", "stork has:thread"])
    expect(await findTexts(bob, q)).toEqual([]);
  expect(await findTexts(bob, "stork")).toEqual(["where does the stork nest?"]);
  await indexEverything(world.database);
  const rows = await world.database.sql`select from message_search where message_id = ${root.id}`;
  expect(rows).toHaveLength(0);
});

test("a thread of a hidden room is one that never was", async () => {
  const eve = await world.person("eve");
  const hidden = await ada.say(room, "heron secret");
  const ask = (id: string) => eve.get(`/api/search/messages?q=heron&thread_id=${id}`);
  const [secret, none] = [await ask(hidden.id), await ask(Bun.randomUUIDv7())];
  expectProblem(secret, 404, "message_not_found");
  expect(JSON.stringify(secret.body)).toBe(JSON.stringify(none.body));
});
