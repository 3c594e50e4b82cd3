import { afterAll, beforeAll, expect, test } from "bun:test";
import type { SqlClient } from "../../src/database/connect.ts";
import type { Signal } from "../../src/feed/signals.ts";
import type { SocketDeps } from "../../src/socket/deps.ts";
import { handleSignal } from "../../src/socket/signals.ts";
import type { ServerEvent } from "../../src/wire/events.ts";
import type { Client } from "../support/client.ts";
import { World } from "../support/world.ts";

let world: World;
let ada: Client;
let bob: Client;
beforeAll(async () => {
  world = await World.start();
  ada = await world.person("ada");
  bob = await world.person("bob");
});
afterAll(() => world.stop());

/**
 * Handles signals for Bob's sockets, with statements that take as long as a test wants.
 * @param isSlow given a statement with a question mark for each value
 * @param onRead awaited before such a statement has its result
 */
function listen(isSlow: RegExp, onRead: () => Promise<unknown>) {
  const delay = (query: Promise<unknown>) =>
    new Proxy(query, {
      get(target, key) {
        const value = Reflect.get(target, key, target);
        if (key !== "then") return value;
        return (...handlers: []) =>
          target.then((rows) => onRead().then(() => rows)).then(...handlers);
      },
    });
  const sql = new Proxy(world.database.sql, {
    apply(target, self, args) {
      const query = Reflect.apply(target, self, args);
      return isSlow.test(args[0].join("?")) ? delay(query) : query;
    },
  }) as SqlClient;
  const sent: ServerEvent[] = [];
  const deps = {
    database: { sql },
    connections: { people: new Map([[bob.user.id, { id: bob.user.id, tail: Promise.resolve() }]]) },
    broadcaster: { sendToUser: (_: string, event: ServerEvent) => sent.push(event) },
  } as unknown as SocketDeps;
  const updates = { publishCount: 0, add() {} };
  return { sent, updates, handle: (signal: Signal) => handleSignal(deps, updates, signal) };
}

test("a conversation is read again where who is online was announced meanwhile", async () => {
  const user_ids = [bob.user.id];
  const { id: room_id } = (await ada.post("/api/direct", { user_ids })).body;
  const watcher = await bob.socket();
  await ada.socket();
  await watcher.next(
    (event) => event.type === "member_updated" && event.members[0]?.status === "online",
  );
  let reads = 0;
  const { sent, updates, handle } = listen(/^\?$/, async () => {
    if (reads++ > 0) return;
    await ada.patch("/api/auth/me", { appear_offline: true });
    updates.publishCount += 1;
  });
  await handle({ kind: "direct_updated", room_id, user_ids });
  expect(sent).toHaveLength(1);
  const [event] = sent;
  const members = event?.type === "direct_updated" ? event.direct.members : [];
  expect(members.find(({ user }) => user.id === ada.user.id)?.status).toBe("offline");
});

test("what has no number is read and sent in the order of the changes", async () => {
  const { sent, handle } = listen(/^\s*select activity_read_at/, () => bob.get("/api/auth/me"));
  const user_id = bob.user.id;
  const message_id = Bun.randomUUIDv7();
  await Promise.all([
    handle({ kind: "activity_updated", user_id }),
    handle({ kind: "saved_changed", user_id, message_id }),
    handle({ kind: "scheduled_changed", user_id, ids: [message_id] }),
  ]);
  expect(sent.map(({ type }) => type)).toEqual(["activity_updated", "saved", "scheduled"]);
});
