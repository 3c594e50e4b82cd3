import { statfs } from "node:fs/promises";
import type { SqlClient } from "../../src/database/connect.ts";
import { TOKENS_VERSION } from "../../src/search/tokens.ts";

/**
 * Messages to search in: words, rooms and authors by Zipf's law, a tenth in Chinese, spread over a
 * thousand days. A word is its rank in letters (0 to 9 are b d f g k l m n p r), so that how often it
 * occurs is known: the word of rank n in one of n × 12.2 words.
 */

const DAYS = 1_000;
const WORDS_PER_MESSAGE = 12;
const CHUNK = 250_000;
const LETTERS = "bdfgklmnpr";
/** What a message takes on disk while they are filled in: table, indexes, log and the files of sorting. */
const BYTES_PER_MESSAGE = 2_200;
/** Building the index and vacuuming take about this share of the time that the rows took. */
const INDEX_SHARE = 0.7;

const wordOf = (rank: number) => [...`${rank}`].map((digit) => LETTERS[Number(digit)]).join("");

/** Queries by kind. */
export const WORDS: Record<string, string[]> = {
  common: [wordOf(10), wordOf(12), wordOf(25)],
  usual: [wordOf(300), wordOf(451), wordOf(700)].map((word) => `"${word}"`),
  middle: [wordOf(5_000), wordOf(7_123), wordOf(9_876)].map((word) => `"${word}"`),
  rare: [wordOf(80_123), wordOf(150_001), wordOf(199_999)].map((word) => `"${word}"`),
  absent: ["absent", "nowhere", "zzz"],
  "two words": [`${wordOf(12)} "${wordOf(300)}"`, `"${wordOf(451)}" "${wordOf(700)}"`],
  "word starts": [wordOf(123), wordOf(4_567).slice(0, 3), wordOf(99_999).slice(0, 4)],
  phrase: [`"${wordOf(10)} ${wordOf(12)}"`, `"${wordOf(20)} ${wordOf(300)}"`],
  Chinese: ["丘两", "上东", "七丁"],
  filters: [`"${wordOf(300)}" has:link`, `${wordOf(25)} after:2025-01-01 before:2025-06-01`],
};

/** @throws Error where the disk has no space for this many messages */
export async function checkDisk(folder: string, count: number): Promise<void> {
  const { bavail, bsize } = await statfs(folder);
  const [free, needed] = [bavail * bsize, count * BYTES_PER_MESSAGE].map((bytes) => bytes / 1e9);
  console.log(
    `About ${needed?.toFixed(1)} GB of disk are needed; ${free?.toFixed(1)} GB are free.`,
  );
  if ((free ?? 0) < (needed ?? 0)) throw new Error("The disk has no space for this many messages.");
}

/**
 * Writes messages, newest last, and their index in SQL: the same tokens as the service's. Prints how
 * long all of them will take, and ends early where that is more than the limit.
 * @returns how many there are
 */
export async function fillSearch(
  sql: SqlClient,
  rooms: string[],
  { count, maxMinutes }: { count: number; maxMinutes: number },
): Promise<number> {
  const started = performance.now();
  const minutes = () => (performance.now() - started) / 60_000;
  await sql`alter system set max_wal_size = '8GB'`;
  await sql`select pg_reload_conf()`;
  await sql`create table bench_rooms as
    select n, r.id, r.number, m.user_id, u.number as author, 0::bigint as seq
    from unnest(${rooms}::uuid[]) with ordinality as i(id, n) join rooms r on r.id = i.id
    join memberships m on m.room_id = r.id join users u on u.id = m.user_id`;
  await sql`drop index message_search_words`;
  let made = 0;
  while (made < count && minutes() * (1 + INDEX_SHARE) < maxMinutes) {
    const size = Math.min(CHUNK, count - made);
    await fillChunk(sql, { rooms: rooms.length, from: made, size, count });
    made += size;
    const all = ((minutes() * count) / made) * (1 + INDEX_SHARE);
    if (made % (4 * CHUNK) === 0 || made === CHUNK || made === count) {
      console.log(
        `${made.toLocaleString("en")} messages after ${minutes().toFixed(1)} minutes; about ${all.toFixed(1)} for all, with the index`,
      );
    }
  }
  if (made < count) console.log(`Ends here: more would take over ${maxMinutes} minutes.`);
  await sql.begin(async (tx) => {
    await tx`set local maintenance_work_mem = '1GB'`;
    await tx`create index message_search_words on message_search using gin (words)
      with (fastupdate = true, gin_pending_list_limit = 1024)`;
  });
  await sql`update rooms r set last_seq = seq, last_message_at = clock_timestamp()
    from bench_rooms b where b.id = r.id`;
  await sql`insert into search_rooms (room_id, after_seq, back_seq, version)
    select id, last_seq, 0, ${TOKENS_VERSION} from rooms`;
  await sql`vacuum analyze`;
  await sql`alter system reset max_wal_size`;
  await sql`select pg_reload_conf()`;
  await sql`checkpoint`;
  console.log(`Filled in ${minutes().toFixed(1)} minutes.`);
  return made;
}

type Chunk = { rooms: number; from: number; size: number; count: number };

async function fillChunk(sql: SqlClient, { rooms, from, size, count }: Chunk): Promise<void> {
  const first = Date.now() - DAYS * 86_400_000;
  await sql.begin(async (tx) => {
    // What the rows refer to is there: nothing has to be looked up for each.
    await tx`set local session_replication_role = replica`;
    await tx`
      with made as materialized (
        select g.n,
          ${first}::bigint + (${from}::bigint + g.n) * ${DAYS * 86_400_000}::bigint / ${count}::bigint as ms,
          least(${rooms}::int, floor(exp(random() * ln(${rooms}::int + 1)))::int) as room,
          (
            select string_agg(translate(floor(exp(random() * 12.2))::int::text, '0123456789', ${LETTERS}), ' ')
            from generate_series(1, ${WORDS_PER_MESSAGE}::int) where g.n > 0
          ) as words,
          case when g.n % 10 = 0 then (
            select string_agg(chr(19968 + floor(exp(random() * 7.6))::int), '')
            from generate_series(1, 10) where g.n > 0
          ) else '' end as tail
        from generate_series(1, ${size}::int) as g(n)
      ), placed as materialized (
        select m.*, r.id as room_id, r.number, r.user_id, r.author,
          r.seq + row_number() over (partition by r.id order by m.n) as seq,
          (lpad(to_hex(ms), 12, '0') || '7' || lpad(to_hex(${from}::bigint + m.n), 19, '0'))::uuid as id
        from made m join bench_rooms r on r.n = m.room
      ), counted as (
        update bench_rooms b set seq = p.last
        from (select room_id, max(seq) as last from placed group by 1) p where p.room_id = b.id
      ), written as (
        insert into messages (id, room_id, seq, author_id, content, created_at)
        select id, room_id, seq, user_id, trim(words || ' ' || tail),
          to_timestamp(ms / 1000.0)
        from placed
      )
      insert into message_search (message_id, room_id, author_number, words)
      select id, room_id, author, array_to_tsvector(
        string_to_array(words, ' ')
        || array(select substr(tail, i, 2) from generate_series(1, length(tail)) i)
        || array['#' || number, '@' || author, '%d' || ms / 86400000, '%m' || ms / 86400000 / 32])
      from placed`;
  });
}
