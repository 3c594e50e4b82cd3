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
import { ALL_MAY_BROADCAST } from "../messages/references.ts";
import { IS_LIVE } from "../presence/read.ts";
import { isMuted } from "../rooms/muted.ts";
import type { QuietHours } from "../wire/models.ts";

/** Maximum number of people per run; the next run is a minute later. */
const MAX_PEOPLE = 500;
/** Number of mentions quoted in an email; further ones are only counted. */
const MAX_QUOTED = 10;
const MAX_QUOTE_LENGTH = 300;

/** Queues emails to people who have missed mentions, except during their quiet hours. */
export async function queueMissedMails({ db, sql }: Database, now = new Date()): Promise<void> {
  if (!(await isMailConfigured(db))) return;
  const people = await findDuePeople(sql, MAX_PEOPLE);
  const ids = people.filter(({ quiet_hours }) => !isQuiet(quiet_hours, now)).map(({ id }) => id);
  if (ids.length > 0) await enqueueMissedMails(sql, ids);
}

/** Builds the email about the mentions that a user has missed; null if they have been online since. */
export async function buildMissedMail(
  { db, sql }: Database,
  baseUrl: string,
  { userId, after }: { userId: string; after: string },
): Promise<Mail | null> {
  const mentions = await readMissedMentions(sql, userId, after, MAX_QUOTED);
  const [user] = await db
    .select({ username: users.username, displayName: users.displayName, email: users.email })
    .from(users)
    .where(eq(users.id, userId));
  const [first] = mentions;
  if (!first || !user?.email) return null;
  return renderMissedMail({
    to: { name: displayNameOf(user), address: user.email },
    site: new URL(baseUrl).host,
    mentions: mentions.map(({ sender, room_name, content }) => ({
      sender,
      room: room_name,
      text: truncate(toPlainText(content ?? "")),
    })),
    total: first.total,
    link:
      first.total === 1
        ? `${baseUrl}/rooms/${first.room_name}/m/${first.message_id}`
        : `${baseUrl}/activity`,
    unsubscribe: `${baseUrl}/profile/notifications`,
  });
}

function truncate(text: string): string {
  const characters = [...text];
  if (characters.length <= MAX_QUOTE_LENGTH) return text;
  return `${characters.slice(0, MAX_QUOTE_LENGTH).join("")}…`;
}

/** A mention counts as missed if it is still unread after this time and the user was not online in between. */
const MISSED_MINUTES = 15;
const COOLDOWN_MINUTES = 60;
/** How far back to search for mentions, since quiet hours and pauses delay an email. */
const REACH_MINUTES = 24 * 60;

const idAt = (minutes: number) => smallestIdAt(Date.now() - minutes * 60_000);

/**
 * SQL for missed mentions, each with the user `u`, the message `m` and its room `r`. Includes mentions
 * by name, and `@room` in rooms where everyone may use it; not `@here`, which mentions only people who
 * are online.
 */
const selectMissedMentions = (sql: SqlClient, untilMinutes: number) => sql`(
    select message_id, user_id from message_mentions
    union
    select b.message_id, ms.user_id from message_broadcasts b
    join rooms r on r.id = b.room_id and ${sql.unsafe(ALL_MAY_BROADCAST)}
    join memberships ms on ms.room_id = b.room_id
    where b.kind = 'room'
  ) n
  join messages m on m.id = n.message_id
  join rooms r on r.id = m.room_id and r.kind = 'room'
  join users u on u.id = n.user_id and u.is_active and not u.is_bot and u.email is not null
    and u.email_on_missed
  join memberships ms on ms.room_id = m.room_id and ms.user_id = u.id
    and ms.last_read_seq < m.seq and not ${sql.unsafe(isMuted("ms"))} and ms.joined_at <= m.created_at
  left join visits v on v.user_id = u.id
  where n.message_id between ${idAt(REACH_MINUTES)} and ${idAt(untilMinutes)}
    and (m.author_id <> u.id or m.via_name is not null)
    and (v.ended_at is null or v.ended_at < m.created_at)
    and not exists (
      select from presence p join instances i on i.id = p.instance_id
      where p.user_id = u.id and ${sql.unsafe(IS_LIVE)})`;

type DuePerson = { id: string; quiet_hours: QuietHours | null };

/** Finds people whose missed mentions are old enough for an email and who have not paused notifications. */
function findDuePeople(sql: SqlClient, limit: number): Promise<DuePerson[]> {
  return sql<DuePerson[]>`
    select u.id, u.quiet_hours from ${selectMissedMentions(sql, MISSED_MINUTES)}
      and m.created_at > u.mentions_mailed_at
      and u.mentions_mailed_at < clock_timestamp() - ${COOLDOWN_MINUTES}::int * interval '1 minute'
      and (u.push_paused_until is null or u.push_paused_until <= clock_timestamp())
    group by u.id order by u.id limit ${limit}`;
}

const INSERT_MAILS = insertJobsText(
  "missed_mail",
  `select gen_random_uuid(), jsonb_build_object('userId', id, 'after', mentions_mailed_at) from due`,
);

/**
 * Queues an email to each person about what they have missed since the last one. If another instance
 * claims the same person concurrently, only one email is sent.
 */
async function enqueueMissedMails(sql: SqlClient, userIds: string[]): Promise<void> {
  await sql`
    with due as materialized (
      select id, mentions_mailed_at from users
      where id = any(${userIds}::uuid[])
        and mentions_mailed_at < clock_timestamp() - ${COOLDOWN_MINUTES}::int * interval '1 minute'
      order by id for no key update
    ), claimed as (
      update users set mentions_mailed_at = clock_timestamp() from due where users.id = due.id
    )
    ${sql.unsafe(INSERT_MAILS)}`;
}

type MissedMention = {
  message_id: string;
  room_name: string;
  sender: string;
  content: string | null;
  total: number;
};

/** Reads the mentions that a user has missed since a time and not read yet, the oldest first. */
function readMissedMentions(sql: SqlClient, userId: string, after: string, limit: number) {
  return sql<MissedMention[]>`
    select missed.*, coalesce(missed.via_name, a.display_name, a.username) as sender
    from (
      select m.id as message_id, r.name as room_name, m.content, m.via_name, m.author_id,
        m.created_at, count(*) over ()::int as total
      from ${selectMissedMentions(sql, 0)}
        and u.id = ${userId} and m.created_at > ${after}::timestamptz
    ) missed join users a on a.id = missed.author_id
    order by missed.created_at, message_id limit ${limit}`;
}
