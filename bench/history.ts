/**
 * The newest 50 messages of a room, with all that is embedded, over HTTP, 32 at once, among a million
 * messages in a thousand rooms. Anchor: the keyset select of the same rows by pgbench, 32 clients.
 */
import { Bed } from "./support/bed.ts";
import { withCpu } from "./support/cpu.ts";
import { pgbench } from "./support/pgbench.ts";
import { report, type Row } from "./support/report.ts";
import { wrk } from "./support/wrk.ts";

const ROUNDS = 3;
const SECONDS = 5;
const ROOMS = 1_000;
const MESSAGES = 1_000_000;
const AT_ONCE = 32;

const bed = await Bed.make();
const { sql } = bed.database;
const people = await bed.people(ROOMS);
const rooms = await bed.rooms(people.map((person, i) => [person, ...others(i)]));

/** Each room has ten members, so that authors differ. */
function others(index: number) {
  return Array.from({ length: 9 }, (_, k) => people[(index + k + 1) % ROOMS] as (typeof people)[0]);
}

// What a room holds: every tenth message has reactions, every twentieth names somebody.
await sql`create temporary table seat as
  select room_id, user_id, row_number() over (partition by room_id order by user_id) - 1 as n from memberships`;
await sql`insert into messages (id, room_id, seq, author_id, content, has_embeds, created_at)
  select gen_random_uuid(), r.id, s, seat.user_id,
    'Message ' || s || ': the slow part was never the query, it was the connection.',
    s % 10 = 0 or s % 20 = 1, clock_timestamp()
  from rooms r, generate_series(1, ${MESSAGES / ROOMS}::int) s, seat
  where seat.room_id = r.id and seat.n = s % 10
  order by s, r.id`;
await sql`insert into message_reactions (message_id, user_id, emoji)
  select m.id, seat.user_id, '👍' from messages m join seat on seat.room_id = m.room_id and seat.n < 3
  where m.seq % 10 = 0`;
await sql`insert into message_mentions (message_id, user_id, room_id, seq, created_at)
  select m.id, seat.user_id, m.room_id, m.seq, m.created_at from messages m
  join seat on seat.room_id = m.room_id and seat.n = 3 where m.seq % 20 = 1`;
await sql`update rooms set last_seq = ${MESSAGES / ROOMS}, last_message_at = clock_timestamp()`;
await sql`vacuum analyze`;
await sql`create table anchor_rooms as select id, row_number() over (order by id)::int as n from rooms`;
await sql`create unique index on anchor_rooms (n)`;
await sql`vacuum analyze anchor_rooms`;

const SELECT = `\\set n random(1, ${ROOMS})
select m.id, m.room_id, m.seq, m.content, m.client_id, m.created_at, m.edited_at, m.author_id,
  u.username, u.display_name, u.is_bot, u.is_active
from messages m join users u on u.id = m.author_id
where m.room_id = (select id from anchor_rooms where n = :n) and m.seq < 9007199254740991
order by m.seq desc limit 51;`;

const service = await bed.start();
const targets = Array.from({ length: ROOMS * 4 }, () => {
  const i = Math.floor(Math.random() * ROOMS);
  return { path: `/api/rooms/${rooms[i]}/messages`, cookie: people[i]?.cookie ?? "" };
});
const sample = await fetch(`${service.address}${targets[0]?.path}`, {
  headers: { cookie: targets[0]?.cookie ?? "" },
});
const { items } = (await sample.json()) as { items: { reactions: unknown[] }[] };
if (items.length !== 50 || !items.some((item) => item.reactions.length > 0)) {
  throw new Error(`${items.length} messages, ${JSON.stringify(items[0])}`);
}

const rows: Row[] = [];
await wrk(bed, service.address, targets, AT_ONCE, 3);
for (let round = 0; round < ROUNDS; round++) {
  const anchor = await pgbench(bed, SELECT, AT_ONCE, SECONDS);
  const used = await withCpu({ service: service.pid, postmaster: bed.postmaster }, () =>
    wrk(bed, service.address, targets, AT_ONCE, SECONDS),
  );
  const { rate, p50, p99 } = used.result;
  const each = (seconds: number) => `${((seconds / (rate * SECONDS)) * 1e6).toFixed(0)} µs`;
  rows.push({
    scenario: "history, the newest 50 of a room, 32 at once",
    ours: rate,
    anchor,
    unit: "requests/s",
    reach: "0.5x",
    notes: `p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms; CPU a request: service ${each(used.service)}, PostgreSQL ${each(used.postgres)}; the client is wrk`,
  });
}
report(rows);
await bed.clear();
process.exit(0);
