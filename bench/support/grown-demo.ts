import { join } from "node:path";
import type { Bed, Person } from "./bed.ts";

const ROOMS = 300;
const PEOPLE = 2_000;
const MESSAGES = 200_000;
const MEMBERS_OF_A_ROOM = 30;

export type GrownDemo = {
  people: Person[];
  /** In all rooms. */
  viewer: Person;
  admin: Person;
  rooms: string[];
};

/**
 * The demo, with 2,000 people, 300 rooms of 30 members each and 200,000 messages more, some of them with
 * reactions and mentions. One person is in all 300 rooms.
 */
export async function growDemo(bed: Bed): Promise<GrownDemo> {
  const cli = Bun.spawn([process.execPath, join(import.meta.dir, "../../cli.ts"), "demo"], {
    env: { ...process.env, DATA_DIR: bed.folder, LOG_LEVEL: "error" },
    stdout: "ignore",
    stderr: "inherit",
  });
  if ((await cli.exited) !== 0) throw new Error("The demo could not be made.");
  const { sql } = bed.database;
  const people = await bed.people(PEOPLE);
  const [viewer, admin] = people as [Person, Person];
  await sql`update users set is_site_admin = true where id = ${admin.id}`;
  const rooms = await bed.rooms(
    Array.from({ length: ROOMS }, (_, room) => [
      people[room + 1] as Person,
      viewer,
      ...Array.from(
        { length: MEMBERS_OF_A_ROOM - 2 },
        (_, seat) => people[((room + seat * 7 + 2) % (PEOPLE - 2)) + 2] as Person,
      ).filter((item) => item !== people[room + 1]),
    ]).map((members) => [...new Set(members)]),
  );
  const each = Math.floor(MESSAGES / rooms.length);
  await sql`create temporary table seat as
    select room_id, user_id, row_number() over (partition by room_id order by user_id) - 1 as n
    from memberships where room_id = any(${rooms}::uuid[])`;
  await sql`insert into messages (id, room_id, seq, author_id, content, has_embeds, created_at)
    select gen_random_uuid(), r.id, s, seat.user_id,
      'Message ' || s || ': the slow part was never the query, it was the connection.',
      s % 10 = 0 or s % 20 = 1, clock_timestamp() - (${each} - s) * interval '1 minute'
    from unnest(${rooms}::uuid[]) r(id), generate_series(1, ${each}::int) s, seat
    where seat.room_id = r.id and seat.n = s % 10
    order by s, r.id`;
  await sql`insert into room_log (room_id, seq, type, message_id)
    select room_id, seq, 'message', id from messages
    where room_id = any(${rooms}::uuid[]) and seq > ${each - 100}`;
  await sql`insert into message_reactions (message_id, user_id, emoji)
    select m.id, seat.user_id, '👍' from messages m join seat on seat.room_id = m.room_id and seat.n < 3
    where m.seq % 10 = 0`;
  await sql`insert into message_mentions (message_id, user_id, room_id, seq, created_at)
    select m.id, ${viewer.id}, m.room_id, m.seq, m.created_at from messages m
    where m.seq % 20 = 1 and m.room_id = any(${rooms}::uuid[])`;
  await sql`update rooms set last_seq = ${each}, last_message_at = clock_timestamp()
    where id = any(${rooms}::uuid[])`;
  await sql`update memberships set last_read_seq = ${each - 5} where room_id = any(${rooms}::uuid[])`;
  await sql`vacuum analyze`;
  return { people, viewer, admin, rooms };
}
