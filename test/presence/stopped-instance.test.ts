import { afterAll, beforeAll, expect, test } from "bun:test";
import type { Member } from "../../src/wire/models.ts";
import { World } from "../support/world.ts";

let world: World;
beforeAll(async () => {
  world = await World.start();
});
afterAll(() => world.stop());

test("who does not come back after an instance stops is seen offline on the others", async () => {
  const [ada, bob, carol] = await Promise.all(
    ["ada", "bob", "carol"].map((name) => world.person(name)),
  );
  if (!ada || !bob || !carol) throw new Error("there are three people");
  const roomId = await world.room("stopping", ada, [bob, carol]);
  const watcher = await ada.socket();
  await watcher.join(roomId);
  /** What the watcher was last told of each person. */
  const seen = new Map<string, Member["status"]>();
  const untilSeen = async (isIt: () => boolean) => {
    while (!isIt()) {
      const { members }: { members: Member[] } = await watcher.next("member_updated");
      for (const { user, status } of members) seen.set(user.id, status);
    }
  };
  const second = await world.secondInstance();
  for (const client of [bob, carol]) await (await world.signIn(client.user, second)).socket();
  await untilSeen(() => [bob, carol].every(({ user }) => seen.get(user.id) === "online"));
  await second.stop();
  const socket = await carol.socket();
  await untilSeen(() => seen.get(bob.user.id) === "offline");
  const { items } = (await ada.get(`/api/rooms/${roomId}/members`)).body;
  const statuses = items.map(({ user, status }: Member) => `${user.username} ${status}`);
  expect(statuses).toEqual(["ada online", "bob offline", "carol online"]);
  socket.close();
  watcher.close();
});
