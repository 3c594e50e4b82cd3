import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { createSession } from "../../src/authentication/sessions.ts";
import { insertUser } from "../../src/users/create-user.ts";
import { prepareUser } from "../../src/accounts/create-account.ts";
import { connectDatabase, type Database } from "../../src/database/connect.ts";
import { createRoom } from "../../src/rooms/change.ts";
import { addMember } from "../../src/rooms/members.ts";
import { Client } from "../support/client.ts";
import { freshDatabase, urlOf } from "../support/database.ts";
import { Running } from "../support/process.ts";
import { eventually } from "../support/wait.ts";

setDefaultTimeout(120_000);
const PEOPLE = 6;
/** A transaction that idles is ended after 4 s; the rest is the machine. */
const RECOVERED_MS = 10_000;

let database: Database;
let instances: Running[];
let rooms: string[];
let people: { clients: Client[] }[];
beforeAll(async () => {
  const target = await freshDatabase();
  database = connectDatabase(target, 2);
  const env = { DATABASE_URL: urlOf(target) };
  instances = await Promise.all([Running.start(env), Running.start(env)]);
  const { db } = database;
  const users = [];
  for (let i = 0; i < PEOPLE; i++) {
    const values = { username: `p${i}`, email: `p${i}@example.org`, password: "correct horse" };
    users.push(await insertUser(db, await prepareUser(values)));
  }
  const owner = users[0]?.id ?? "";
  rooms = await Promise.all(
    ["one", "two"].map((name) => createRoom(db, owner, { name, privacy: "open" })),
  );
  for (const roomId of rooms)
    for (const { id } of users.slice(1)) await addMember(db, owner, roomId, { user_id: id });
  people = await Promise.all(
    users.map(async (user) => {
      const token = await db.transaction((tx) =>
        createSession(tx, user.id, { address: "", userAgent: null }),
      );
      const cookie = `snug_session=${token}`;
      return { clients: instances.map(({ address }) => new Client(address, cookie, user)) };
    }),
  );
});
afterAll(async () => {
  for (const { process } of instances) {
    process.kill("SIGCONT");
    process.kill("SIGKILL");
  }
  await Promise.all(instances.map(({ process }) => process.exited));
  await database.close();
});

/** Someone writes, reacts and edits at an instance until it is over. */
async function work(client: Client | undefined, isOver: () => boolean, onDone: () => void) {
  for (let i = 0; client && !isOver(); i++) {
    const roomId = rooms[i % 2] ?? "";
    const path = `/api/rooms/${roomId}/messages`;
    const { status, body } = await client.post(path, { content: `${i}` });
    if (status !== 201) continue;
    onDone();
    await client.patch(`/api/messages/${body.id}`, { content: `${i} again` });
    await client.post(`/api/messages/${body.id}/reactions`, { emoji: "👍" });
  }
}

/**
 * Stops the process while it has a transaction open that has locked a room: a transaction of the test holds the room
 * until the process waits for it, and lets it go once the process is stopped.
 * @param post makes the process lock the room
 * @returns the process id of that transaction's connection at the server
 */
async function stopInTransaction({ process }: Running, roomId: string, post: () => void) {
  let waiting: number | undefined;
  await database.sql.begin(async (tx) => {
    await tx`set local idle_in_transaction_session_timeout = 0`;
    await tx`select from rooms where id = ${roomId} for no key update`;
    post();
    await eventually(async () => {
      const [row] = await database.sql<{ pid: number }[]>`
        select pid from pg_stat_activity where datname = current_database()
          and wait_event_type = 'Lock' and query like '%rooms%no key update%'`;
      waiting = row?.pid;
      return waiting !== undefined;
    });
    process.kill("SIGSTOP");
  });
  const pid = waiting as number;
  await eventually(async () => {
    const rows = await database.sql`
      select from pg_stat_activity where pid = ${pid} and state = 'idle in transaction'`;
    return rows.length > 0;
  });
  return pid;
}

test("an instance that is stopped in a transaction stops the other for a few seconds at most", async () => {
  const [stopped] = instances as [Running];
  let isOver = false;
  let acknowledged = 0;
  const { promise: recovered, resolve } = Promise.withResolvers<void>();
  const onDone = () => {
    acknowledged += 1;
    if (acknowledged >= 30) resolve();
  };
  const roomId = rooms[0] ?? "";
  const path = `/api/rooms/${roomId}/messages`;
  let there: Promise<unknown> | undefined;
  let here: Promise<void>[] = [];
  try {
    const pid = await stopInTransaction(stopped, roomId, () => {
      there = people[0]?.clients[0]?.post(path, { content: "there" });
    });
    here = people.slice(1).map(({ clients }) => work(clients[1], () => isOver, onDone));
    const since = performance.now();
    const isHeld = async () =>
      (await database.sql`select from pg_stat_activity where pid = ${pid}`).length > 0;
    await eventually(async () => !(await isHeld()));
    expect(performance.now() - since).toBeLessThan(RECOVERED_MS);
    // How fast the others go on is the machine's.
    await recovered;
  } finally {
    // Requests that are under way when the instances are killed would fail outside of the test.
    isOver = true;
    stopped.process.kill("SIGCONT");
    await Promise.all([there, ...here]);
  }
  // It serves as before.
  expect((await people[0]?.clients[0]?.get("/api/rooms"))?.status).toBe(200);
  const log = await database.sql<{ seq: number }[]>`
    select seq from room_log where room_id = ${rooms[0] ?? ""} order by seq`;
  expect(log.map(({ seq }) => seq)).toEqual(Array.from(log, (_, i) => i + 1));
});
