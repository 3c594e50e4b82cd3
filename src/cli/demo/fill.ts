import type { SqlClient } from "../../database/connect.ts";
import type { File, Image, Message, Room, User } from "../../wire/models.ts";
import type { PostMessage } from "../../wire/requests.ts";
import { chart, portrait, sunset } from "./pictures.ts";
import { type Line, PEOPLE, type Place, ROOMS, type Username } from "./story.ts";
import { Visitor } from "./visitor.ts";

type Visitors = Record<Username, Visitor>;

/**
 * Tells the story over HTTP.
 * @param base where the service listens
 */
export async function fill(sql: SqlClient, base: string, password: string): Promise<void> {
  const visitors = {} as Visitors;
  for (const { username, hue } of PEOPLE) {
    const visitor = new Visitor(base);
    await visitor.signIn(username, password);
    await visitor.upload("PUT", "/api/auth/me/avatar", await portrait(hue), "me.png");
    visitors[username] = visitor;
  }
  for (const place of ROOMS) await furnish(sql, visitors, place);
  await sql`delete from sessions`;
}

async function furnish(sql: SqlClient, visitors: Visitors, place: Place): Promise<void> {
  const { name, description, privacy, owner, members, lines } = place;
  const room = await visitors[owner].post<Room>("/api/rooms", { name, description, privacy });
  for (const username of members) {
    await visitors[owner].post<User>(`/api/rooms/${room.id}/members`, { username });
  }
  for (const line of lines) {
    const message = await say(visitors, room.id, line);
    // Nobody said all of this just now.
    await sql`update messages set created_at = created_at - ${line.ago} * interval '1 minute',
        edited_at = edited_at - ${line.ago - 3} * interval '1 minute'
      where id = ${message.id}`;
  }
  await sql`update rooms set
      created_at = (select min(created_at) from messages where room_id = ${room.id}) - interval '1 hour',
      last_message_at = (select max(created_at) from messages where room_id = ${room.id})
    where id = ${room.id}`;
  if (name.startsWith("archive"))
    await sql`update rooms set is_archived = true where id = ${room.id}`;
}

async function say(visitors: Visitors, roomId: string, line: Line): Promise<Message> {
  const author = visitors[line.by];
  const uploads = `/api/rooms/${roomId}`;
  const given: PostMessage = { content: line.text };
  if (line.picture) {
    const bytes = await { chart, sunset }[line.picture]();
    const image = await author.upload<Image>("POST", `${uploads}/images`, bytes, "picture.png");
    given.image_id = image.id;
  }
  if (line.file) {
    const { name, text } = line.file;
    const file = await author.upload<File>("POST", `${uploads}/files`, Buffer.from(text), name);
    given.file_id = file.id;
  }
  const message = await author.post<Message>(`${uploads}/messages`, given);
  for (const [emoji, ...by] of line.reactions ?? []) {
    for (const username of by) {
      await visitors[username].post(`/api/messages/${message.id}/reactions`, { emoji });
    }
  }
  if (line.edited) await author.patch(`/api/messages/${message.id}`, { content: line.edited });
  return message;
}
