/**
 * What a message costs the database in a room of 10 and in one of 10,000, most of whom are away: rows
 * written and bytes of WAL. Anchor: the room of 10. Two have the room open; of the others, up to 500
 * are connected and receive `unread`.
 */
import { Bed, type Person } from "./support/bed.ts";
import { report, type Row } from "./support/report.ts";
import { openSockets } from "./support/sockets.ts";

const ROUNDS = 3;
const MESSAGES = 2_000;
/** An idle PostgreSQL connection reports its statistics within 10 s. */
const COUNTED_MS = 11_000;
const OPEN = 2;
const AWAY = 500;

const bed = await Bed.make();
const { sql } = bed.database;
const service = await bed.start();
const few = await seat(10);
const many = await seat(10_000);
// Autovacuum of the rows that were just inserted is not part of a message's cost.
await sql`vacuum analyze`;
await sql`alter system set autovacuum = off`;
await sql`select pg_reload_conf()`;

type Seated = { roomId: string; author: Person; away: number; heard: { unread: number } };

/** A room with this many members: some are connected, two have it open. */
async function seat(size: number): Promise<Seated> {
  const people = await bed.people(size);
  const roomId = await bed.room(people);
  const heard = { unread: 0 };
  const connected = people.slice(0, Math.min(size, OPEN + AWAY));
  let joined = 0;
  const { promise, resolve } = Promise.withResolvers<void>();
  const sockets = await openSockets(service.address, connected, () => (text) => {
    if (text.startsWith('{"type":"unread"')) heard.unread += 1;
    if (text.startsWith('{"type":"joined"') && ++joined === OPEN) resolve();
  });
  for (const socket of sockets.slice(0, OPEN)) {
    socket.send(JSON.stringify({ type: "join", room_id: roomId }));
  }
  await promise;
  return { roomId, author: people[0] as Person, away: connected.length - OPEN, heard };
}

async function post({ author, roomId }: Seated): Promise<void> {
  const response = await fetch(`${service.address}/api/rooms/${roomId}/messages`, {
    method: "POST",
    headers: { cookie: author.cookie, "content-type": "application/json" },
    body: JSON.stringify({ content: "The slow part was never the query." }),
  });
  if (response.status !== 201) throw new Error(`status ${response.status}`);
}

/** Rows written to this database's tables; a connection's rows are counted once it idles. */
async function written(): Promise<{ rows: number; wal: number }> {
  await Bun.sleep(COUNTED_MS);
  const [row] = await sql<{ rows: number; wal: string }[]>`
    select sum(n_tup_ins + n_tup_upd + n_tup_del)::int as rows,
      pg_current_wal_insert_lsn() - '0/0'::pg_lsn as wal from pg_stat_user_tables`;
  return { rows: row?.rows ?? 0, wal: Number(row?.wal) };
}

async function cost(room: Seated): Promise<{ rows: number; wal: number }> {
  // The first writes after a checkpoint contain whole pages.
  await sql`checkpoint`;
  for (let i = 0; i < 500; i++) await post(room);
  const before = await written();
  const heardBefore = room.heard.unread;
  for (let i = 0; i < MESSAGES; i++) await post(room);
  const after = await written();
  const heard = room.heard.unread - heardBefore;
  if (heard !== MESSAGES * room.away) throw new Error(`${heard} heard of what is unread`);
  return {
    rows: (after.rows - before.rows) / MESSAGES,
    wal: (after.wal - before.wal) / MESSAGES,
  };
}

const rows: Row[] = [];
const wal: Row[] = [];
for (let round = 0; round < ROUNDS; round++) {
  const anchor = await cost(few);
  const ours = await cost(many);
  const common = { less: true, reach: "0.9x to 1.1x" };
  rows.push({
    ...common,
    scenario: "unread: rows written for a message, 10,000 members against 10",
    ours: ours.rows,
    anchor: anchor.rows,
    unit: "rows",
  });
  wal.push({
    ...common,
    scenario: "unread: WAL of a message, 10,000 members against 10",
    ours: ours.wal,
    anchor: anchor.wal,
    unit: "bytes",
    notes: `${many.away} away heard each`,
  });
}
report(rows);
report(wal);
await bed.clear();
process.exit(0);
