import { eq } from "drizzle-orm";
import { displayNameOf } from "../users/users.ts";
import type { Database, SqlClient } from "../database/connect.ts";
import { users } from "../database/schema.ts";
import type { Mail } from "../email/mail.ts";
import { isMailConfigured } from "../email/settings.ts";
import { renderMissedMail } from "../email/templates.ts";
import { toPlainText } from "../wire/markdown/plain.ts";
import { isQuiet } from "../wire/quiet-hours.ts";
import { insertJobsText } from "../jobs-queue/enqueue.ts";
import { smallestIdAt } from "../platform/ids.ts";
import { LEASE_SECONDS } from "../presence/presence.ts";
import { MAX_BROADCAST_MEMBERS } from "../wire/limits.ts";
import type { QuietHours } from "../wire/models.ts";

/** How many people one run finds; the next run is a minute later. */
const MAX_PEOPLE = 500;
/** Mentions that a mail quotes; further ones are counted. */
const MAX_QUOTED = 10;
const MAX_QUOTE_LENGTH = 300;

/** Queues mails to people who have missed mentions, except during their quiet hours. */
export async function queueMissedMails({ db, sql }: Database, now = new Date()): Promise<void> {
  if (!(await isMailConfigured(db))) return;
  const due = await findDuePeople(sql, MAX_PEOPLE);
  const ids = due.filter(({ quietHours }) => !isQuiet(quietHours, now)).map(({ id }) => id);
  if (ids.length > 0) await enqueueMissedMails(sql, ids);
}

/** Builds the mail with the mentions that someone has missed; null if they have been online since. */
export async function buildMissedMail(
  { db, sql }: Database,
  baseUrl: string,
  { userId, after }: { userId: string; after: string },
): Promise<Mail | null> {
  const missed = await readMissed(sql, userId, after, MAX_QUOTED);
  const [user] = await db
    .select({ username: users.username, displayName: users.displayName, email: users.email })
    .from(users)
    .where(eq(users.id, userId));
  const [first] = missed;
  if (!first || !user?.email) return null;
  return renderMissedMail({
    to: { name: displayNameOf(user), address: user.email },
    site: new URL(baseUrl).host,
    mentions: missed.map(({ sender, roomName, content }) => ({
      sender,
      room: roomName,
      text: truncate(toPlainText(content ?? "")),
    })),
    total: first.total,
    link:
      first.total === 1
        ? `${baseUrl}/rooms/${first.roomName}/m/${first.messageId}`
        : `${baseUrl}/activity`,
    unsubscribe: `${baseUrl}/profile/notifications`,
  });
}

function truncate(text: string): string {
  const characters = [...text];
  if (characters.length <= MAX_QUOTE_LENGTH) return text;
  return `${characters.slice(0, MAX_QUOTE_LENGTH).join("")}…`;
}

/** A mention is missed if it is unread after this time and the user was not online in between. */
const MISSED_MINUTES = 15;
/** The shortest time between two mails to one person. */
const REST_MINUTES = 60;
/** How far back mentions are searched, since quiet hours and pauses delay a mail. */
const REACH_MINUTES = 24 * 60;

/** The smallest id of a message of this age. */
const idAt = (minutes: number) => smallestIdAt(Date.now() - minutes * 60_000);

/**
 * SQL: missed mentions, each with the user `u`, the message `m` and its room `r`: by name, and by
 * `@room` in rooms where everyone may use it. `@here` is left out, since it mentions only people
 * who are online.
 */
const selectMissed = (sql: SqlClient, untilMinutes: number) => sql`(
    select message_id, user_id from message_mentions
    union
    select b.message_id, ms.user_id from message_broadcasts b
    join rooms r on r.id = b.room_id and r.member_count <= ${MAX_BROADCAST_MEMBERS}
    join memberships ms on ms.room_id = b.room_id
    where b.kind = 'room'
  ) n
  join messages m on m.id = n.message_id
  join rooms r on r.id = m.room_id and r.kind = 'room'
  join users u on u.id = n.user_id and u.is_active and not u.is_bot and u.email is not null
    and u.email_on_missed
  join memberships ms on ms.room_id = m.room_id and ms.user_id = u.id
    and ms.last_read_seq < m.seq and ms.notify <> 'none' and ms.joined_at <= m.created_at
  left join visits v on v.user_id = u.id
  where n.message_id between ${idAt(REACH_MINUTES)} and ${idAt(untilMinutes)}
    and (m.author_id <> u.id or m.via_name is not null)
    and (v.ended_at is null or v.ended_at < m.created_at)
    and not exists (
      select from presence p join instances i on i.id = p.instance_id
      where p.user_id = u.id
        and i.heartbeat_at > clock_timestamp() - ${LEASE_SECONDS} * interval '1 second')`;

type DuePerson = { id: string; quietHours: QuietHours | null };

/** People who have missed mentions long enough for a mail, and have not paused notifications. */
export function findDuePeople(sql: SqlClient, limit: number): Promise<DuePerson[]> {
  return sql<DuePerson[]>`
    select u.id, u.quiet_hours as "quietHours" from ${selectMissed(sql, MISSED_MINUTES)}
      and m.created_at > u.mentions_mailed_at
      and u.mentions_mailed_at < clock_timestamp() - ${REST_MINUTES}::int * interval '1 minute'
      and (u.push_paused_until is null or u.push_paused_until <= clock_timestamp())
    group by u.id order by u.id limit ${limit}`;
}

/** SQL: jobs of the people in `due`. */
const INSERT_MAILS = insertJobsText(
  "missed_mail",
  `select gen_random_uuid(), jsonb_build_object('userId', id, 'after', mentions_mailed_at) from due`,
);

/**
 * Queues a mail to each of these people, with what they have missed since the last one. A person
 * whom another instance claims at the same time gets one mail.
 */
export async function enqueueMissedMails(sql: SqlClient, userIds: string[]): Promise<void> {
  await sql`
    with due as materialized (
      select id, mentions_mailed_at from users
      where id = any(${userIds}::uuid[])
        and mentions_mailed_at < clock_timestamp() - ${REST_MINUTES}::int * interval '1 minute'
      order by id for no key update
    ), claimed as (
      update users set mentions_mailed_at = clock_timestamp() from due where users.id = due.id
    )
    ${sql.unsafe(INSERT_MAILS)}`;
}

type MissedMention = {
  messageId: string;
  roomName: string;
  sender: string;
  content: string | null;
  /** How many mentions there are in all. */
  total: number;
};

/** Reads what a person has missed since a time and still not read, the oldest first. */
export function readMissed(sql: SqlClient, userId: string, after: string, limit: number) {
  return sql<MissedMention[]>`
    select missed.*, coalesce(missed.via_name, a.display_name, a.username) as sender
    from (
      select m.id as "messageId", r.name as "roomName", m.content, m.via_name, m.author_id,
        m.created_at, count(*) over ()::int as total
      from ${selectMissed(sql, 0)}
        and u.id = ${userId} and m.created_at > ${after}::timestamptz
    ) missed join users a on a.id = missed.author_id
    order by missed.created_at, "messageId" limit ${limit}`;
}
