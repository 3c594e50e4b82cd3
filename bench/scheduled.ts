/**
 * How long 10,000 messages that are planned for one minute take, from that minute on: in one room, in
 * 100 rooms, and one in each of 10,000 rooms. Target: 10 s, each room in the order of its times. And how
 * long the lists take that a client reads at its start: saved messages, and 500 drafts.
 *
 * Anchor: the 10 s of the target, and 10 ms for each list.
 */
import { Bed, type Person } from "./support/bed.ts";
import { report, type Row } from "./support/report.ts";

const ROUNDS = 3;
const MESSAGES = 10_000;
const SECONDS = 10;
const LIST_MS = 10;
const READS = 200;

const bed = await Bed.make();
const { sql } = bed.database;
const service = await bed.start();
const authors = await bed.people(100);
const rows = new Map<string, Row[]>();
const add = (row: Row) => rows.set(row.scenario, [...(rows.get(row.scenario) ?? []), row]);

for (let round = 0; round < ROUNDS; round++) {
  for (const count of [1, 100, 10_000]) add(await sendAll(count));
}
const reader = authors[0] as Person;
await fillLists(reader);
for (let round = 0; round < ROUNDS; round++) {
  for (const path of ["/api/saved/ids", "/api/drafts"]) add(await readList(path));
}
for (const rounds of rows.values()) report(rounds);
await bed.clear();

/** Plans all of them for one minute, lets it come, and waits until the last one is sent. */
async function sendAll(count: number): Promise<Row> {
  // An author in each of very many rooms, or all of them in each.
  const lists = Array.from({ length: count }, (_, i) =>
    count > 1_000 ? authors.slice(i % 100, (i % 100) + 1) : authors,
  );
  const rooms = await bed.rooms(lists);
  // Within the minute, in another order than they were planned.
  await sql`
    insert into scheduled_messages (id, user_id, room_id, content, send_at, zone)
    select gen_random_uuid(), (${authors.map(({ id }) => id)}::uuid[])[1 + n % 100],
      (${rooms}::uuid[])[1 + n % ${count}::int], 'planned ' || n,
      date_trunc('second', now()) + interval '5 seconds' + (n * 7919 % 1000) * interval '1 millisecond', 'UTC'
    from generate_series(0, ${MESSAGES - 1}) n`;
  await sql`
    insert into jobs (id, kind, payload, unique_key, run_at, max_attempts)
    select gen_random_uuid(), 'send_scheduled', jsonb_build_object('shard', shard),
      'scheduled:' || shard, min(send_at), 8
    from (
      select send_at, get_byte(uuid_send(room_id), 15) & 15 as shard from scheduled_messages
      where state = 'waiting'
    ) w group by shard
    on conflict do nothing`;
  for (;;) {
    const [left] = await sql<{ n: number }[]>`
      select count(*)::int as n from scheduled_messages where state = 'waiting'`;
    if (left?.n === 0) break;
    await Bun.sleep(50);
  }
  const [took] = await sql<{ seconds: number; unordered: number; posted: number }[]>`
    with sent as (
      select s.room_id, s.send_at, s.id, m.seq, m.created_at from scheduled_messages s
      join messages m on m.id = s.message_id where s.room_id = any(${rooms}::uuid[])
    )
    select extract(epoch from max(created_at) - min(send_at))::float8 as seconds,
      count(*)::int as posted, (
        select count(*)::int from (
          select seq < lag(seq) over (partition by room_id order by send_at, id) as wrong from sent
        ) o where wrong
      ) as unordered
    from sent`;
  if (took?.posted !== MESSAGES || took.unordered !== 0) {
    throw new Error(`posted ${took?.posted}, out of order ${took?.unordered}`);
  }
  return {
    scenario: `${MESSAGES.toLocaleString("en")} planned messages in ${count.toLocaleString("en")} rooms`,
    ours: took.seconds,
    anchor: SECONDS,
    unit: "s",
    less: true,
    reach: "1x",
    notes: "in order, each once",
  };
}

/** 2,000 saved messages in ten rooms, and 500 drafts. */
async function fillLists({ id }: Person): Promise<void> {
  await sql`insert into saved_messages (user_id, message_id, room_id)
    select ${id}::uuid, m.id, m.room_id from messages m join memberships x on x.room_id = m.room_id
    where x.user_id = ${id} limit 2000`;
  await sql`insert into drafts (user_id, room_id, content, version)
    select ${id}::uuid, room_id, repeat('a draft ', 20), 1 from memberships
    where user_id = ${id} limit 500`;
  await sql`vacuum analyze`;
}

async function readList(path: string): Promise<Row> {
  const times: number[] = [];
  for (let n = 0; n < READS; n++) {
    const from = performance.now();
    const answer = await fetch(service.address + path, { headers: { cookie: reader.cookie } });
    await answer.arrayBuffer();
    if (answer.status !== 200) throw new Error(`status ${answer.status}`);
    times.push(performance.now() - from);
  }
  const median = times.toSorted((a, b) => a - b)[READS / 2] ?? 0;
  return {
    scenario: `GET ${path}, the median of ${READS}`,
    ours: median,
    anchor: LIST_MS,
    unit: "ms",
    less: true,
    reach: "1x",
  };
}
