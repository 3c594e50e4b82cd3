import { and, eq, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";
import { displayNameOf } from "../users/users.ts";
import { readSiteName } from "../team/read.ts";
import type { Drizzle } from "../database/connect.ts";
import { memberships, rooms, users } from "../database/schema.ts";
import { renderAddedMail } from "../email/templates.ts";
import type { Mail } from "../email/mail.ts";

/**
 * @returns the mail that tells someone that they were added to a room; null if they have left since, are no
 * longer active, or do not want such mails
 */
export async function buildAddedMail(
  db: Drizzle,
  baseUrl: string,
  { roomId, userId, byId }: { roomId: string; userId: string; byId: string },
): Promise<Mail | null> {
  const adders = alias(users, "adders");
  const [row] = await db
    .select({
      room: { name: sql<string>`${rooms.name}`, description: rooms.description },
      user: { username: users.username, displayName: users.displayName, email: users.email },
      adder: adders,
    })
    .from(memberships)
    .innerJoin(rooms, eq(rooms.id, memberships.roomId))
    .innerJoin(users, eq(users.id, memberships.userId))
    .innerJoin(adders, eq(adders.id, byId))
    .where(
      and(
        eq(memberships.roomId, roomId),
        eq(rooms.kind, "room"),
        eq(memberships.userId, userId),
        eq(users.isActive, true),
        eq(users.isBot, false),
        eq(users.emailOnAdded, true),
      ),
    );
  if (!row?.user.email) return null;
  const { room, user, adder } = row;
  return renderAddedMail({
    to: { name: displayNameOf(user), address: row.user.email },
    site: await readSiteName(db, baseUrl),
    room: room.name,
    description: room.description,
    adder: displayNameOf(adder),
    link: `${baseUrl}/rooms/${room.name}`,
    unsubscribe: `${baseUrl}/profile/notifications`,
  });
}
