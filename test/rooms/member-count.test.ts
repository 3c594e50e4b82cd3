import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { World } from "../support/world.ts";

let world: World;
beforeAll(async () => {
  world = await World.start();
});
afterAll(() => world.stop());

describe("the number of members", () => {
  test("is right after many come and go at once", async () => {
    const owner = await world.person("owner");
    const roomId = await world.room("busy", owner, [], "open");
    const path = (rest = "") => `/api/rooms/${roomId}${rest}`;
    const memberCount = async () => (await owner.get(path())).body.member_count;
    const people = await Promise.all(
      Array.from({ length: 12 }, (_, i) => world.person(`person-${i}`)),
    );
    await Promise.all(
      people.flatMap((person) => [person, person].map((c) => c.post(path("/join")))),
    );
    expect(await memberCount()).toBe(13);
    await Promise.all([
      ...people
        .slice(0, 6)
        .flatMap((person) => [
          person.post(path("/leave")),
          owner.delete(path(`/members/${person.user.id}`)),
        ]),
      ...people.slice(6).map((person) => person.post(path("/join"))),
    ]);
    expect(await memberCount()).toBe(7);
    expect((await owner.get(path("/members"))).body.items).toHaveLength(7);
  });
});
