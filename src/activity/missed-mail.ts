import { eq } from "drizzle-orm";
import { displayNameOf, userColumns } from "../accounts/users.ts";
import type { Database } from "../database/connect.ts";
import { users } from "../database/schema.ts";
import type { Mail } from "../email/mail.ts";
import { isMailConfigured } from "../email/settings.ts";
import { renderMissedMail } from "../email/templates.ts";
import { toPlainText } from "../wire/markdown/plain.ts";
import { isQuiet } from "../wire/quiet-hours.ts";
import { enqueueMissedMails, findDuePeople, readMissed } from "./missed-statements.ts";

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
    .select({ ...userColumns, email: users.email })
    .from(users)
    .where(eq(users.id, userId));
  const [first] = missed;
  if (!first || !user?.email) return null;
  return renderMissedMail({
    to: { name: displayNameOf(user), address: user.email },
    site: new URL(baseUrl).host,
    mentions: missed.map(({ sender, roomName, content }) => ({
      ...{ sender, room: roomName },
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
