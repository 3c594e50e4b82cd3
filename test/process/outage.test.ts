import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import type { Store } from "../../public/app/state/store/client-store.ts";
import { createSession } from "../../src/authentication/sessions.ts";
import { insertUser } from "../../src/users/create-user.ts";
import { prepareUser } from "../../src/accounts/create-account.ts";
import { connectDatabase, type Database } from "../../src/database/connect.ts";
import { createRoom } from "../../src/rooms/change.ts";
import { addMember } from "../../src/rooms/members.ts";
import { freshDatabase, urlOf } from "../support/database.ts";
import { Running } from "../support/process.ts";
import { openRoom, openStore, until } from "../support/store.ts";

setDefaultTimeout(120_000);
const PEOPLE = 6;
const PATIENCE_MS = 25_000;

let database: Database;
let env: Record<string, string>;
let instances: [Running, Running];
let roomId: string;
let stores: Store[];
/** All that was written, whatever became of it. */
const written: string[] = [];
beforeAll(async () => {
  const target = await freshDatabase();
  env = { DATABASE_URL: urlOf(target) };
  database = connectDatabase(target, 2);
  instances = [await Running.start(env), await Running.start(env)];
  const users = [];
  for (let i = 0; i < PEOPLE; i++) {
    const values = { username: `p${i}`, email: `p${i}@example.org`, password: "a good password" };
    users.push(await insertUser(database.db, await prepareUser(values)));
  }
  const owner = users[0]?.id ?? "";
  roomId = await createRoom(database.db, owner, { name: "restless", privacy: "private" });
  for (const user of users.slice(1))
    await addMember(database.db, owner, roomId, { user_id: user.id });
  stores = await Promise.all(
    users.map(async (user, i) => {
      const token = await database.db.transaction((tx) =>
        createSession(tx, user.id, { address: "", userAgent: null }),
      );
      let tries = i;
      // As behind a proxy: each attempt may meet another instance.
      const base = () => instances[tries++ % 2]?.address ?? "";
      const store = openStore(base, `snug_session=${token}`);
      await openRoom(store, roomId);
      return store;
    }),
  );
});
afterAll(async () => {
  for (const { process } of instances) process.kill("SIGKILL");
  await database.close();
});

/** Everyone writes, one line after the other, until the disturbance is over. */
async function writeDuring(disturbance: () => Promise<unknown>): Promise<void> {
  let over = false;
  const writers = stores.map(async (store, i) => {
    for (let line = 0; !over || line < 5; line++) {
      const text = `${i}: ${written.length}`;
      written.push(text);
      store.outbox?.add(roomId, text);
      await until(store, (_, outbox) => outbox.length < 3, PATIENCE_MS);
    }
  });
  await disturbance().finally(() => {
    over = true;
  });
  await Promise.all(writers);
  for (const store of stores) await until(store, (_, outbox) => outbox.length === 0, PATIENCE_MS);
}

type Row = { seq: number; content: string };

async function expectNothingLostNorDoubled(): Promise<void> {
  const rows = await database.sql<Row[]>`
    select seq, content from messages where room_id = ${roomId} order by seq`;
  expect(rows.map((row) => row.content).sort()).toEqual(written.toSorted());
  const log = await database.sql<{ seq: number }[]>`
    select seq from room_log where room_id = ${roomId} order by seq`;
  expect(log.map((row) => row.seq)).toEqual(Array.from(log, (_, i) => i + 1));
  const last = rows.at(-1)?.seq ?? 0;
  for (const store of stores) {
    await until(store, (state) => (state.views[roomId]?.seq ?? 0) >= last, PATIENCE_MS);
    const seen = store.state.value.views[roomId]?.messages.map(({ seq, content }) => ({
      seq,
      content,
    }));
    // A client that was away too long had to resync, and may hold only the newest part.
    expect(seen).toEqual(
      rows.slice(-(seen?.length ?? 0)).map(({ seq, content }) => ({ seq, content })),
    );
    expect(seen?.length).toBeGreaterThan(0);
  }
}

/** Ends an instance and starts another where it was. */
async function replace(index: 0 | 1, end: (running: Running) => Promise<unknown>): Promise<void> {
  const { port } = instances[index];
  await end(instances[index]);
  instances[index] = await Running.start({ ...env, PORT: String(port) });
}

describe("while everyone writes, no message is lost or doubled and every client ends with the stored list", () => {
  test("when the instances are restarted one after the other", async () => {
    await writeDuring(async () => {
      await replace(0, (running) => running.stop());
      await replace(1, (running) => running.stop());
    });
    await expectNothingLostNorDoubled();
  });

  test("when one of two instances is killed", async () => {
    await writeDuring(() => replace(1, (running) => running.kill()));
    await expectNothingLostNorDoubled();
  });

  test("when every connection to the database is cut, LISTEN too", async () => {
    await writeDuring(async () => {
      const cut = await database.sql`
        select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and pid <> pg_backend_pid()`;
      expect(cut.length).toBeGreaterThan(3);
    });
    await expectNothingLostNorDoubled();
  });
});
