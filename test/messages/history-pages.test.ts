import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { removeMember } from "../../src/rooms/members.ts";
import type { Client } from "../support/client.ts";
import { World } from "../support/world.ts";

let world: World;
let ada: Client;
let bob: Client;
let roomId: string;
beforeAll(async () => {
  world = await World.start();
  ada = await world.person("ada", { displayName: "Ada" });
  bob = await world.person("bob");
  roomId = await world.room("hall", ada, [bob]);
});
afterAll(() => world.stop());

/** The newest page, requested twice: the second time it may come from the cache. */
async function newest(client: Client) {
  await client.get(`/api/rooms/${roomId}/messages`);
  const { status, body } = await client.get(`/api/rooms/${roomId}/messages`);
  expect(status).toBe(200);
  return body;
}

describe("the newest page", () => {
  test("is the same as a page of another size, oldest first", async () => {
    for (let i = 0; i < 60; i++) await ada.say(roomId, `line ${i}`);
    const page = await newest(bob);
    expect(page.items).toHaveLength(50);
    const { body } = await bob.get(`/api/rooms/${roomId}/messages?limit=49`);
    expect(page.items.slice(1)).toEqual(body.items);
    expect(page).toMatchObject({ has_more_before: true, has_more_after: false });
  });

  test("has what happened since it was last read", async () => {
    await newest(bob);
    const { id } = await ada.say(roomId, "new");
    expect((await newest(bob)).items.at(-1)).toMatchObject({ id, content: "new" });
    await ada.patch(`/api/messages/${id}`, { content: "edited" });
    expect((await newest(bob)).items.at(-1).content).toBe("edited");
    await bob.post(`/api/messages/${id}/reactions`, { emoji: "👍" });
    expect((await newest(ada)).items.at(-1).reactions).toMatchObject([{ emoji: "👍", count: 1 }]);
    await ada.delete(`/api/messages/${id}`);
    expect((await newest(bob)).items.at(-1).id).not.toBe(id);
  });

  test("is the same for all who ask for it at once", async () => {
    await ada.say(roomId, "to all at once");
    const pages = await Promise.all(
      Array.from({ length: 20 }, () => bob.get(`/api/rooms/${roomId}/messages`)),
    );
    for (const { body } of pages) expect(body).toEqual(pages[0]?.body);
    expect(pages[0]?.body.items.at(-1).content).toBe("to all at once");
  });

  test("shows the present names of people", async () => {
    await ada.say(roomId, "who am I");
    expect((await newest(bob)).items.at(-1).author.display_name).toBe("Ada");
    await ada.patch("/api/auth/me", { display_name: "Countess" });
    expect((await newest(bob)).items.at(-1).author.display_name).toBe("Countess");
  });

  test("shows a client_id to its author alone", async () => {
    const client_id = crypto.randomUUID();
    await ada.say(roomId, 'ends with "null}"', { client_id });
    expect((await newest(bob)).items.at(-1).client_id).toBeNull();
    const cached = (await newest(bob)).items.at(-1);
    expect((await newest(ada)).items.at(-1)).toEqual({ ...cached, client_id });
    expect((await newest(bob)).items.at(-1).client_id).toBeNull();
  });

  test("names a private room to its members only, in any order of readers", async () => {
    await world.room("adas", ada);
    await ada.say(roomId, "see #adas");
    const names = async (client: Client) =>
      (await newest(client)).items.at(-1).room_references.map(({ name }: { name: string }) => name);
    expect(await names(bob)).toEqual([]);
    expect(await names(ada)).toEqual(["adas"]);
    expect(await names(bob)).toEqual([]);
  });

  test("is refused to a removed member, although it is cached", async () => {
    await newest(bob);
    await removeMember(world.database.db, ada.user.id, roomId, bob.user.id);
    expect((await bob.get(`/api/rooms/${roomId}/messages`)).status).toBe(404);
  });
});
