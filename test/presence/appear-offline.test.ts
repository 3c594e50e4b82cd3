import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Service } from "../../src/service.ts";
import type { Member } from "../../src/wire/models.ts";
import type { Client } from "../support/client.ts";
import { blocksAnother } from "../support/blocked.ts";
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

  test.each([
    ["connects", "online", "insert into presence select $1, id from instances"],
    ["disconnects", "offline", "select from presence where user_id = $1 for update"],
  ])("and stops that while a page %s is then seen %s", async (change, status, hold) => {
    const { sql } = world.database;
    const person = await world.person(change, { appearOffline: true });
    const { id } = person.user;
    const roomId = await world.room(change, ada, [person]);
    const watcher = await ada.socket();
    await watcher.join(roomId);
    const untilSeen = (as: string) =>
      watcher.next(
        ({ type, members = [] }) =>
          type === "member_updated" &&
          members.some((member: Member) => member.user.id === id && member.status === as),
      );
    const isLeaving = change === "disconnects";
    const before = isLeaving ? await person.socket() : null;
    if (before) await untilPresent(id, 1);
    let socket = before;
    await sql.begin(async (tx) => {
      await tx.unsafe(hold, [id]);
      const [self] = await tx`select pg_backend_pid() as pid`;
      if (before) before.close();
      else socket = await person.socket();
      // The statement that records the change has begun.
      await eventually(() => blocksAnother(sql, self?.pid));
      await person.patch("/api/auth/me", { appear_offline: false });
      await untilSeen(isLeaving ? "online" : "offline");
      if (!isLeaving) await tx`delete from presence where user_id = ${id}`;
    });
    await untilSeen(status);
    socket?.close();
    watcher.close();
  });
});
