import { sql } from "drizzle-orm";
import { readSiteName } from "../team/read.ts";
import type { Drizzle } from "../database/connect.ts";
import { renderAddedMail } from "../email/templates.ts";
import type { Mail } from "../email/mail.ts";

type AddedRow = {
  room: string;
  description: string | null;
  email: string | null;
  name: string;
  adder: string;
};

/**
 * @returns the mail that tells someone that they were added to a room; null if they have left since, are no
 * longer active, or do not want such mails
 */
export async function buildAddedMail(
  db: Drizzle,
  baseUrl: string,
  { roomId, userId, byId }: { roomId: string; userId: string; byId: string },
): Promise<Mail | null> {
  const [row] = await db.execute<AddedRow>(sql`
    select r.name as room, r.description, u.email, coalesce(u.display_name, u.username) as name,
      coalesce(a.display_name, a.username) as adder
    from memberships m
    join rooms r on r.id = m.room_id and r.kind = 'room'
    join users u on u.id = m.user_id and u.is_active and not u.is_bot and u.email_on_added
    join users a on a.id = ${byId}
    where m.room_id = ${roomId} and m.user_id = ${userId}`);
  if (!row?.email) return null;
  const { room, description, email, name, adder } = row;
  return renderAddedMail({
    to: { name, address: email },
    site: await readSiteName(db, baseUrl),
    room,
    description,
    adder,
    link: `${baseUrl}/rooms/${room}`,
    unsubscribe: `${baseUrl}/profile/notifications`,
  });
}
