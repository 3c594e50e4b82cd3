import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Service } from "../../src/service.ts";
import type { Client } from "../support/client.ts";
import { World } from "../support/world.ts";
import { eventually } from "../support/wait.ts";

let world: World;
let second: Service;
let ada: Client;
beforeAll(async () => {
  world = await World.start();
  second = await world.secondInstance();
  ada = await world.person("ada");
});
afterAll(() => world.stop());

/** Waits until so many instances hold that the user is connected. */
async function untilPresent(userId: string, instances: number): Promise<void> {
  const read = () => world.database.sql`select from presence where user_id = ${userId}`;
  await eventually(async () => (await read()).length === instances);
}

const lastSeenOf = async (userId: string) =>
  (await world.database.sql`select last_seen_at from users where id = ${userId}`)[0]?.last_seen_at;

describe("one who appears offline", () => {
  test("connects and disconnects unnoticed, on either instance", async () => {
    const hidden = await world.person("hidden", { appearOffline: true });
    const marker = await world.person("marker");
    const roomId = await world.room("watched", ada, [hidden, marker]);
    const watchers = [await ada.socket(), await (await world.signIn(ada.user, second)).socket()];
    for (const watcher of watchers) await watcher.join(roomId);
    const before = await lastSeenOf(hidden.user.id);
    const sockets = [
      await (await world.signIn(hidden.user)).socket(),
      await (await world.signIn(hidden.user, second)).socket(),
    ];
    for (const socket of sockets) await socket.join(roomId);
    await untilPresent(hidden.user.id, 2);
    const { body: members } = await ada.get(`/api/rooms/${roomId}/members`);
    const match = members.items.find(
      (item: { user: { username: string } }) => item.user.username === "hidden",
    );
    expect(match.status).toBe("offline");
    const { body: online } = await ada.get("/api/users/online");
    expect(JSON.stringify(online)).not.toContain(hidden.user.id);
    expect(await lastSeenOf(hidden.user.id)).toEqual(before);
    for (const socket of sockets) socket.close();
    await untilPresent(hidden.user.id, 0);
    // Someone else comes after that: what was announced before has been heard by then.
    const socket = await marker.socket();
    for (const watcher of watchers) {
      const updates: string[] = [];
      while (!updates.includes(marker.user.id)) {
        updates.push(...(await watcher.next("member_updated")).user_ids);
      }
      expect(updates).not.toContain(hidden.user.id);
      watcher.close();
    }
    socket.close();
  });

  test("is announced by the choice alone", async () => {
    const fickle = await world.person("fickle");
    const roomId = await world.room("choosing", ada, [fickle]);
    const watcher = await (await world.signIn(ada.user, second)).socket();
    await watcher.join(roomId);
    for (const appear_offline of [true, false]) {
      await fickle.patch("/api/auth/me", { appear_offline });
      await watcher.next(
        (event) => event.type === "member_updated" && event.user_ids.includes(fickle.user.id),
      );
    }
    watcher.close();
  });
});
