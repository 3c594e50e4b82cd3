import { eq, sql } from "drizzle-orm";
import type { Drizzle } from "../../database/connect.ts";
import { memberships, messages, rooms, sessions, threads } from "../../database/schema.ts";
import type { Direct, File, Image, Message, Room, User } from "../../wire/models.ts";
import type { PostMessage } from "../../wire/requests.ts";
import { backdate } from "./backdate.ts";
import { drawChart, drawPortrait, drawSunset } from "./pictures.ts";
import { DIRECTS, type Line, PEOPLE, type Place, type Talk, type Username } from "./story.ts";
import { ROOMS } from "./story-rooms.ts";
import { Visitor } from "./visitor.ts";

/** The share of a room's messages that everyone has read. */
const READ_SHARE = 0.6;

type Visitors = Record<Username, Visitor>;

/** Creates everything over HTTP, and then backdates it. */
export async function tellStory(db: Drizzle, base: string, password: string): Promise<void> {
  const visitors = {} as Visitors;
  for (const { username, hue } of PEOPLE) {
    const visitor = new Visitor(base);
    await visitor.signIn(username, password);
    await visitor.upload("PUT", "/api/auth/me/avatar", await drawPortrait(hue), "me.png");
    visitors[username] = visitor;
  }
  for (const place of ROOMS) await createRoom(db, visitors, place);
  for (const talk of DIRECTS) await createDirect(db, visitors, talk);
  await db.delete(sessions);
}

async function createRoom(db: Drizzle, visitors: Visitors, place: Place): Promise<void> {
  const { name, description, privacy, owner, members, lines } = place;
  const room = await visitors[owner].call<Room>("POST", "/api/rooms", {
    name,
    description,
    privacy,
  });
  for (const username of members) {
    await visitors[owner].call<User>("POST", `/api/rooms/${room.id}/members`, { username });
  }
  await postLines(db, visitors, room.id, lines, name.startsWith("archive"));
  await begin(visitors, room.id, place);
}

async function begin(visitors: Visitors, room_id: string, { draft, scheduledMessage }: Place) {
  if (draft) {
    const body = { room_id, base_version: 0, content: draft.text };
    await visitors[draft.by].call("PUT", "/api/drafts", body);
  }
  if (scheduledMessage) {
    const day = new Date(Date.now() + scheduledMessage.inDays * 86_400_000)
      .toISOString()
      .slice(0, 10);
    const body = {
      room_id,
      content: scheduledMessage.text,
      send_at: `${day}T09:00:00Z`,
      zone: "UTC",
    };
    await visitors[scheduledMessage.by].call("POST", "/api/scheduled", body);
  }
}

async function createDirect(db: Drizzle, visitors: Visitors, talk: Talk): Promise<void> {
  const [opener, ...repliers] = talk.members;
  const user_ids = repliers.map((username) => visitors[username].userId);
  const { id } = await visitors[opener].call<Direct>("POST", "/api/direct", { user_ids });
  await postLines(db, visitors, id, talk.lines, false);
}

async function postLines(
  db: Drizzle,
  visitors: Visitors,
  roomId: string,
  lines: Line[],
  isArchived: boolean,
): Promise<void> {
  const postedMessages: Message[] = [];
  for (const line of lines) {
    const message = await postLine(visitors, roomId, line, postedMessages);
    postedMessages.push(message);
    await backdate(db, message.id, line.ago);
  }
  await db
    .update(threads)
    .set({
      lastReplyAt: sql`(select ${messages.createdAt} from ${messages}
        where ${messages.roomId} = ${threads.roomId} and ${messages.seq} = ${threads.lastReplySeq})`,
    })
    .where(eq(threads.roomId, roomId));
  for (const [n, { by, title }] of lines.entries()) {
    if (title)
      await visitors[by].call("PATCH", `/api/messages/${postedMessages[n]?.id}/thread`, { title });
  }
  const times = sql`from ${messages} where ${messages.roomId} = ${roomId}`;
  await db
    .update(rooms)
    .set({
      createdAt: sql`(select min(${messages.createdAt}) ${times}) - interval '1 hour'`,
      lastMessageAt: sql`(select max(${messages.createdAt}) ${times})`,
      isArchived,
    })
    .where(eq(rooms.id, roomId));
  const openedAt = sql`(select ${rooms.createdAt} from ${rooms} where ${rooms.id} = ${roomId})`;
  await db.update(memberships).set({ joinedAt: openedAt }).where(eq(memberships.roomId, roomId));
  const lastRead = postedMessages.at(
    isArchived ? -1 : Math.floor(postedMessages.length * READ_SHARE) - 1,
  );
  if (lastRead) await markRead(db, lastRead);
}

/**
 * Marks a room as read for everyone up to a message, or up to their own last one, so that later
 * messages are unread.
 */
async function markRead(db: Drizzle, { room_id, seq }: Message): Promise<void> {
  const last = sql`(select seq, created_at from ${messages}
    where room_id = ${memberships.roomId} and (seq = ${seq} or author_id = ${memberships.userId})
    order by seq desc limit 1)`;
  await db
    .update(memberships)
    .set({
      lastReadSeq: sql`(select seq from ${last} as last)`,
      lastReadAt: sql`(select created_at from ${last} as last)`,
    })
    .where(eq(memberships.roomId, room_id));
}

async function postLine(
  visitors: Visitors,
  roomId: string,
  line: Line,
  before: Message[],
): Promise<Message> {
  const author = visitors[line.by];
  const uploads = `/api/rooms/${roomId}`;
  const find = (start: string | undefined) =>
    start && before.findLast(({ content }) => content?.startsWith(start))?.id;
  const body: PostMessage = {
    content: line.text,
    thread_id: find(line.inThread),
    quote_id: find(line.quotes),
  };
  if (line.picture) {
    const bytes = await { chart: drawChart, sunset: drawSunset }[line.picture]();
    const image = await author.upload<Image>("POST", `${uploads}/images`, bytes, "picture.png");
    body.image_id = image.id;
  }
  if (line.file) {
    const { name, text } = line.file;
    const file = await author.upload<File>("POST", `${uploads}/files`, Buffer.from(text), name);
    body.file_id = file.id;
  }
  const message = await author.call<Message>("POST", `${uploads}/messages`, body);
  for (const [emoji, ...by] of line.reactions ?? []) {
    for (const username of by) {
      await visitors[username].call("POST", `/api/messages/${message.id}/reactions`, { emoji });
    }
  }
  if (line.pinnedBy)
    await visitors[line.pinnedBy].call("PUT", `/api/messages/${message.id}/pin`, {});
  if (line.savedMessage) {
    const { by, note } = line.savedMessage;
    await visitors[by].call("PUT", `/api/saved/${message.id}`, { note });
  }
  if (line.editedText)
    await author.call("PATCH", `/api/messages/${message.id}`, { content: line.editedText });
  return message;
}
