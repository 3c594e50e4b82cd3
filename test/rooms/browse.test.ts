import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { MyRoom } from "../../src/wire/models.ts";
import { type Client, expectProblem } from "../support/client.ts";
import { World } from "../support/world.ts";

let world: World;
let owner: Client;
let member: Client;
let outsider: Client;
beforeAll(async () => {
  world = await World.start();
  [owner, member, outsider] = await Promise.all([
    world.person("owner"),
    world.person("member"),
    world.person("outsider"),
  ]);
  for (const name of ["one", "two", "three", "four"]) await world.room(name, owner, [], "open");
});
afterAll(() => world.stop());

describe("browsing", () => {
  const browse = async (query = "") =>
    (await outsider.get(`/api/rooms/browse?${query}`)).body.items.map((room: MyRoom) => room.name);

  test("shows open rooms that are not archived, and what they are to the caller", async () => {
    await world.room("shop-open", owner, [member], "open");
    await world.room("shop-private", owner, [outsider]);
    await world.room("shop-closed", owner, [outsider], "open");
    await world.archive("shop-closed", true);
    expect(await browse("query=shop")).toEqual(["shop-open"]);
    const of = async (client: Client) => (await client.get("/api/rooms/browse?query=shop")).body;
    expect((await of(outsider)).items[0].membership).toBeNull();
    expect((await of(member)).items[0].membership).toMatchObject({ role: "member" });
  });

  test("finds names in any case, and matches % and _ literally", async () => {
    await world.room("ab_cd", owner, [], "open");
    await world.room("ab-cd", owner, [], "open");
    expect(await browse("query=AB_")).toEqual(["ab_cd"]);
    expect(await browse("query=%25")).toEqual([]);
  });

  test("puts the most members or the newest message first, in pages", async () => {
    const [few, many, quiet] = [
      await world.room("sort-few", owner, [member], "open"),
      await world.room("sort-many", owner, [member, outsider], "open"),
      await world.room("sort-quiet", owner, [], "open"),
    ];
    await owner.say(many, "first");
    await owner.say(few, "last");
    expect(quiet).not.toBe(few);
    const paged = async (sort: string) => {
      const seen: string[] = [];
      let cursor = "";
      do {
        const path = `/api/rooms/browse?query=sort-&sort=${sort}&limit=1${cursor}`;
        const { body } = await outsider.get(path);
        seen.push(...body.items.map((room: MyRoom) => room.name));
        cursor = body.next && `&cursor=${body.next}`;
      } while (cursor);
      return seen;
    };
    expect(await paged("members")).toEqual(["sort-many", "sort-few", "sort-quiet"]);
    expect(await paged("activity")).toEqual(["sort-few", "sort-many", "sort-quiet"]);
    expect(await paged("name")).toEqual(["sort-few", "sort-many", "sort-quiet"]);
    // The rooms that one is in, and the others.
    expect(await browse("query=sort-&joined=true")).toEqual(["sort-many"]);
    expect(await browse("query=sort-&joined=false")).toEqual(["sort-few", "sort-quiet"]);
    expectProblem(await outsider.get("/api/rooms/browse?joined=maybe"), 422, "validation");
    expectProblem(await outsider.get("/api/rooms/browse?sort=size"), 422, "validation");
  });

  test("comes in pages without gaps", async () => {
    const all = await browse("limit=200");
    expect(all.length).toBeGreaterThan(5);
    const seen: string[] = [];
    let cursor = "";
    do {
      const { body } = await outsider.get(`/api/rooms/browse?limit=3${cursor}`);
      seen.push(...body.items.map((room: MyRoom) => room.name));
      cursor = body.next && `&cursor=${body.next}`;
    } while (cursor);
    expect(seen).toEqual(all);
    expectProblem(await outsider.get("/api/rooms/browse?cursor=nonsense!"), 422, "validation");
  });
});
