import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { deactivateUser } from "../../src/accounts/administer.ts";
import { lockUser } from "../../src/users/users.ts";
import { endSessions } from "../../src/authentication/sessions.ts";
import { revokeToken } from "../../src/admin/tokens.ts";
import { COMMAND_LINE } from "../../src/audit/write.ts";
import { connectDatabase, type Database, type Transaction } from "../../src/database/connect.ts";
import type { Scheduled } from "../../src/wire/scheduled-messages.ts";
import { blocksAnother } from "../support/blocked.ts";
import type { Client } from "../support/client.ts";
import { inMinutes, passTime, setStage, type Stage, untilDone } from "./stage.ts";
import { eventually } from "../support/wait.ts";

let stage: Stage;
/** Transactions that are open at the same time, and what looks at them. */
let database: Database;
beforeAll(async () => {
  stage = await setStage();
  database = connectDatabase(stage.world.target, 6);
});
afterAll(async () => {
  await database.close();
  await stage.world.stop();
});

/** A transaction that stays open until `commit` is called. */
async function open(work: (tx: Transaction) => Promise<unknown>) {
  const done = Promise.withResolvers<void>();
  const begun = Promise.withResolvers<number>();
  const committed = database.db.transaction(async (tx) => {
    await work(tx);
    const [self] = await tx.execute<{ pid: number }>("select pg_backend_pid() as pid");
    begun.resolve(self?.pid ?? 0);
    await done.promise;
  });
  committed.catch(begun.reject);
  const pid = await begun.promise;
  return {
    /** Waits until something waits for a lock of this transaction. */
    async blocks() {
      await eventually(() => blocksAnother(database.sql, pid));
    },
    async commit() {
      done.resolve();
      await committed;
    },
  };
}

const lockRoom = (room: string) =>
  open((tx) => tx.execute(`select from rooms where id = '${room}' for update`));

async function plan(client: Client, room_id: string): Promise<string> {
  const body = { room_id, content: "claimed", send_at: inMinutes(5), zone: "UTC" };
  const answer = await client.post("/api/scheduled", body);
  expect(answer.status).toBe(201);
  return answer.body.id;
}

const textsOf = async (room: string) =>
  (await stage.owner.get(`/api/rooms/${room}/messages`)).body.items.map(
    (item: { content: string }) => item.content,
  );

const findIn = async (id: string, client: Client): Promise<Scheduled | undefined> =>
  (await client.get("/api/scheduled?limit=200")).body.items.find(
    (item: Scheduled) => item.id === id,
  );

/** The row as it is, also for those who can no longer sign in. */
async function rowOf(id: string) {
  const [row] = await database.sql`
    select state, reason, sending_at is not null as is_claimed from scheduled_messages
    where id = ${id}`;
  return row as { state: string; reason: string | null; is_claimed: boolean };
}

/** Whose message is scheduled, what ends while it waits for its room, and what its author reads. */
const ENDS: [string, string, (tx: Transaction, id: string) => Promise<unknown>, string][] = [
  [
    "whose session another one ends",
    "person",
    async (tx, id) => {
      const [row] = await tx.execute<{ user_id: string; session_id: string }>(
        `select user_id, session_id from scheduled_messages where id = '${id}'`,
      );
      await endSessions(tx, row?.user_id ?? "", { only: row?.session_id });
    },
    "session_ended",
  ],
  [
    "whose author ends all sessions",
    "person",
    async (tx, id) => endSessions(tx, await authorOf(tx, id)),
    "session_ended",
  ],
  [
    "whose author is deactivated",
    "person",
    async (tx, id) => {
      const user = await lockUser(tx, { id: await authorOf(tx, id) });
      await deactivateUser(tx, COMMAND_LINE, user);
    },
    "deactivated",
  ],
  [
    "whose token is revoked",
    "bot",
    async (tx, id) => {
      const [row] = await tx.execute<{ token_id: string }>(
        `select token_id from scheduled_messages where id = '${id}'`,
      );
      await revokeToken(tx, COMMAND_LINE, row?.token_id ?? "");
    },
    "invalid_token",
  ],
];

async function authorOf(tx: Transaction, id: string): Promise<string> {
  const [row] = await tx.execute<{ user_id: string }>(
    `select user_id from scheduled_messages where id = '${id}'`,
  );
  return row?.user_id ?? "";
}

let people = 0;
/** Someone in a room, with a message of theirs that is scheduled there. */
async function setScheduled(kind: string) {
  const { world, owner } = stage;
  const name = `claimed-${people++}`;
  const author =
    kind === "bot" ? await world.bot(name, ["write:messages"]) : await world.person(name);
  const room = await world.room(name, owner, [author]);
  return { author, room, id: await plan(author, room) };
}

describe("a scheduled message that a process has begun to send", () => {
  test.each(ENDS)("%s: is blocked, and not posted", async (_, kind, end, reason) => {
    const { room, id } = await setScheduled(kind);
    const roomLock = await lockRoom(room);
    await passTime(stage.world);
    await roomLock.blocks();
    expect(await rowOf(id)).toMatchObject({ state: "waiting", is_claimed: true });
    await database.db.transaction((tx) => end(tx, id));
    await roomLock.commit();
    await untilDone(stage.world, "send_scheduled");
    expect(await textsOf(room)).toEqual([]);
    expect(await rowOf(id)).toEqual({ state: "failed", reason, is_claimed: false });
  });

  test.each(ENDS)("%s at this moment: waits for that", async (_, kind, end, reason) => {
    const { room, id } = await setScheduled(kind);
    const roomLock = await lockRoom(room);
    await passTime(stage.world);
    await roomLock.blocks();
    const ending = await open((tx) => end(tx, id));
    await roomLock.commit();
    await ending.blocks();
    await ending.commit();
    await untilDone(stage.world, "send_scheduled");
    expect(await textsOf(room)).toEqual([]);
    expect(await rowOf(id)).toEqual({ state: "failed", reason, is_claimed: false });
  });

  test.each(ENDS)(
    "%s while it is posted: is sent, and not shown as blocked",
    async (_, kind, end) => {
      const { author, room, id } = await setScheduled(kind);
      // The statement that posts it clears this draft, once it has locked the scheduled message.
      await database.sql`insert into drafts (user_id, room_id, thread_id, content, client_id, version)
      values (${author.user.id}, ${room}, '00000000-0000-0000-0000-000000000000', 'x', ${id}, 1)`;
      const draft = await open((tx) =>
        tx.execute(`select from drafts where client_id = '${id}' for update`),
      );
      await passTime(stage.world);
      await draft.blocks();
      const ended = database.db.transaction((tx) => end(tx, id));
      await Bun.sleep(50);
      await draft.commit();
      await ended;
      await untilDone(stage.world, "send_scheduled");
      expect(await textsOf(room)).toEqual(["claimed"]);
      expect(await rowOf(id)).toEqual({ state: "sent", reason: null, is_claimed: false });
      const notices = await database.sql`select from jobs
      where kind = 'push_self' and payload ->> 'id' = ${id}`;
      expect(notices.count).toBe(0);
    },
  );

  test("whose author is removed from the room: waits for that, and is not posted", async () => {
    const { author, room, id } = await setScheduled("person");
    const removing = await open(async (tx) => {
      await tx.execute(`select from rooms where id = '${room}' for no key update`);
      await tx.execute(`delete from memberships where user_id = '${author.user.id}'`);
    });
    await passTime(stage.world);
    await removing.blocks();
    await removing.commit();
    await untilDone(stage.world, "send_scheduled");
    expect(await textsOf(room)).toEqual([]);
    expect(await rowOf(id)).toMatchObject({ state: "failed", reason: "not_a_member" });
  });
});

test("someone who sends a blocked message at once from a session that ends does not post it", async () => {
  const { author, room, id } = await setScheduled("person");
  const other = await stage.world.signIn(author.user);
  const roomLock = await lockRoom(room);
  const sending = author.post(`/api/scheduled/${id}/send-now`);
  await roomLock.blocks();
  expect((await other.delete("/api/auth/me/sessions")).status).toBe(204);
  await roomLock.commit();
  expect((await sending).body.code).toBe("unauthenticated");
  expect(await textsOf(room)).toEqual([]);
  expect(await findIn(id, other)).toMatchObject({ state: "failed", reason: "session_ended" });
});
