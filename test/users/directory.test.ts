import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { User } from "../../src/wire/models.ts";
import { type Client, expectProblem } from "../support/client.ts";
import type { TestSocket } from "../support/socket.ts";
import { World } from "../support/world.ts";

let world: World;
let ada: Client;
let bob: Client;
beforeAll(async () => {
  world = await World.start();
  ada = await world.person("ada", { displayName: "Countess 100%" });
  bob = await world.person("bob", { displayName: "Ada's friend" });
  await world.person("carl");
  await world.person("under_score");
  await world.person("underscore");
  await world.person("adam-gone", { isActive: false });
});
afterAll(() => world.stop());

const names = (items: User[]) => items.map((user) => user.username);

async function search(query: string, more = ""): Promise<string[]> {
  const { status, body } = await bob.get(`/api/users?query=${encodeURIComponent(query)}${more}`);
  expect(status).toBe(200);
  return names(body.items);
}

describe("the search for people", () => {
  test("shows only the public fields of a person", async () => {
    const { body } = await bob.get("/api/users?query=ada&limit=1");
    expect(body.items).toEqual([
      {
        id: ada.user.id,
        username: "ada",
        display_name: "Countess 100%",
        avatar_url: null,
        is_bot: false,
        is_active: true,
        profile_version: 0,
      },
    ]);
  });

  test("finds active users by a prefix of username or display name, case-insensitively", async () => {
    expect(await search("ADA")).toEqual(["ada", "bob"]);
    expect(await search("countess")).toEqual(["ada"]);
    expect(await search("dam")).toEqual([]);
    expect(await search("")).toEqual(["ada", "bob", "carl", "under_score", "underscore"]);
  });

  test("matches the wildcards of LIKE literally", async () => {
    expect(await search("%")).toEqual([]);
    expect(await search("countess 100%")).toEqual(["ada"]);
    expect(await search("under_")).toEqual(["under_score"]);
    expect(await search("\\")).toEqual([]);
  });

  test("is paginated without gaps", async () => {
    const seen: string[] = [];
    let cursor = "";
    do {
      const { body } = await bob.get(`/api/users?limit=2${cursor}`);
      expect(body.items.length).toBeLessThanOrEqual(2);
      seen.push(...names(body.items));
      cursor = body.next && `&cursor=${body.next}`;
    } while (cursor);
    expect(seen).toEqual(["ada", "bob", "carl", "under_score", "underscore"]);
  });

  test("refuses invalid parameters", async () => {
    for (const query of [
      "limit=0",
      "limit=201",
      "limit=many",
      "cursor=!",
      `query=${"a".repeat(101)}`,
    ]) {
      expectProblem(await bob.get(`/api/users?${query}`), 422, "validation");
    }
    expectProblem(await bob.get("/api/users?query=%00"), 422, "validation");
    expect((await bob.get("/api/users?query=%ff%E0%A4%A")).status).toBe(200);
  });
});

describe("online users", () => {
  const online = async () => names((await bob.get("/api/users/online")).body.items);

  /** Reads the list again after each `member_updated` event. */
  async function until(watcher: TestSocket, expected: string[]): Promise<void> {
    while ((await online()).join() !== expected.join()) await watcher.next("member_updated");
  }

  test("are those with a socket, except those who appear offline", async () => {
    expect(await online()).toEqual([]);
    const roomId = await world.room("hall", ada, [bob]);
    const watcher = await bob.socket();
    await watcher.join(roomId);
    await until(watcher, ["bob"]);
    const socket = await ada.socket();
    await until(watcher, ["ada", "bob"]);
    expect((await ada.patch("/api/auth/me", { appear_offline: true })).status).toBe(200);
    expect(await online()).toEqual(["bob"]);
    const { body } = await ada.get(`/api/rooms/${roomId}/members`);
    const states = body.items.map((item: { status: string }) => item.status);
    expect(states).toEqual(["offline", "online"]);
    await ada.patch("/api/auth/me", { appear_offline: false });
    expect(await online()).toEqual(["ada", "bob"]);
    socket.close();
    watcher.close();
  });
});
