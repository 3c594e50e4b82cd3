import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { eq } from "drizzle-orm";
import { users } from "../../src/database/schema.ts";
import { removeMember } from "../../src/rooms/members.ts";
import type { Client } from "../support/client.ts";
import { people, World } from "../support/world.ts";

let world: World;
let cast: Awaited<ReturnType<typeof people>>;
beforeAll(async () => {
  world = await World.start();
  cast = await people(world);
});
afterAll(() => world.stop());

const namesOf = (message: { mentions: { username: string }[] }) =>
  message.mentions.map(({ username }) => username);

async function countOf(client: Client, roomId: string) {
  const { body } = await client.get(`/api/rooms/${roomId}`);
  return { unread: body.membership.unread, mentions: body.membership.mention_count };
}

describe("a mention", () => {
  test("is of a member, in any case, once; deactivated or not", async () => {
    const { member, owner, deactivated, rooms } = cast;
    const message = await member.say(
      rooms.secret,
      "@OWNER @owner @deactivated, @outsider @nobody @removed",
    );
    expect(message.mentions).toEqual([
      { user_id: deactivated.user.id, username: "deactivated" },
      { user_id: owner.user.id, username: "owner" },
    ]);
    const read = await owner.get(`/api/messages/${message.id}`);
    expect(read.body).toEqual({ ...message, client_id: null });
  });

  test("is not found in code", async () => {
    const { member, rooms } = cast;
    const message = await member.say(rooms.secret, "`@owner`\n```\n@owner\n```");
    expect(message.mentions).toEqual([]);
  });

  test("is the same in the envelope, in history and in the log", async () => {
    const { member, owner, rooms } = cast;
    const socket = await owner.socket();
    const seq = await socket.join(rooms.secret);
    const { id } = await member.say(rooms.secret, "hey @owner and @member");
    const told = (await socket.next("message")).message;
    expect(namesOf(told)).toEqual(["member", "owner"]);
    const history = await owner.get(`/api/rooms/${rooms.secret}/messages?limit=1`);
    expect(history.body.items).toEqual([told]);
    const changes = await owner.get(`/api/rooms/${rooms.secret}/changes?after=${seq}`);
    expect(changes.body.items).toMatchObject([{ type: "message", message: told }]);
    expect(told.id).toBe(id);
    socket.close();
  });

  test("of many posts at once goes to the right ones, and a refused one has none", async () => {
    const { member, owner, roomAdmin, outsider, rooms } = cast;
    const posts = await Promise.all(
      Array.from({ length: 60 }, async (_, i) => {
        const who = ["@owner", "@member", "plain", "@room-admin #open-room", "http://a.example"];
        const client = i % 7 === 0 ? outsider : i % 2 ? owner : roomAdmin;
        const content = `${who[i % 5]} ${i}`;
        return {
          i,
          ...(await client.post(`/api/rooms/${rooms.secret}/messages`, { content })),
        };
      }),
    );
    for (const { i, status, body } of posts) {
      expect({ i, status }).toEqual({ i, status: i % 7 === 0 ? 404 : 201 });
      if (status !== 201) continue;
      const expected = [["owner"], ["member"], [], ["room-admin"], []][i % 5];
      expect({ i, names: namesOf(body), rooms: body.room_references.length }).toEqual({
        i,
        names: expected as string[],
        rooms: i % 5 === 3 ? 1 : 0,
      });
      expect(body.preview_url).toBe(i % 5 === 4 ? "http://a.example" : null);
      expect((await member.get(`/api/messages/${body.id}`)).body).toEqual(body);
    }
  });

  test("is recomputed by an edit", async () => {
    const { member, owner, rooms } = cast;
    const { id } = await member.say(rooms.secret, "@owner");
    const edit = async (content: string) => {
      const { body } = await member.patch(`/api/messages/${id}`, { content });
      expect((await owner.get(`/api/messages/${id}`)).body).toEqual(body);
      return namesOf(body);
    };
    expect(await edit("@room-admin and @owner")).toEqual(["owner", "room-admin"]);
    expect(await edit("`@owner` @outsider @member")).toEqual(["member"]);
    expect(await edit("nobody")).toEqual([]);
    const [row] = await world.database.sql<{ has_embeds: boolean }[]>`
      select has_embeds from messages where id = ${id}`;
    expect(row?.has_embeds).toBe(false);
  });

  test("stays when the member leaves, and has the new name of a renamed member", async () => {
    const { owner, member } = cast;
    const leaver = await world.person("goes");
    const roomId = await world.room("stays-mentioned", owner, [leaver, member]);
    const { id } = await owner.say(roomId, "@goes");
    await removeMember(world.database.db, owner.user.id, roomId, leaver.user.id);
    await world.database.db
      .update(users)
      .set({ username: "gone" })
      .where(eq(users.id, leaver.user.id));
    const { body } = await member.get(`/api/messages/${id}`);
    expect(body.mentions).toEqual([{ user_id: leaver.user.id, username: "gone" }]);
  });
});

describe("the count of mentions", () => {
  test("grows with messages of others that name the caller, and a mark clears it", async () => {
    const { owner, member } = cast;
    const roomId = await world.room("counted", owner, [member]);
    await owner.say(roomId, "@member one");
    const second = await owner.say(roomId, "@member two, @member");
    await member.say(roomId, "@member, I tell myself");
    await owner.say(roomId, "no one, @owner");
    expect(await countOf(member, roomId)).toEqual({ unread: true, mentions: 2 });
    expect(await countOf(owner, roomId)).toEqual({ unread: true, mentions: 0 });
    await member.delete(`/api/messages/${second.id}`);
    await owner.delete(`/api/messages/${second.id}`);
    expect(await countOf(member, roomId)).toEqual({ unread: true, mentions: 1 });
    await member.post(`/api/rooms/${roomId}/read`);
    expect(await countOf(member, roomId)).toEqual({ unread: false, mentions: 0 });
    const { body } = await member.get("/api/rooms?limit=200");
    const room = body.items.find((item: { id: string }) => item.id === roomId);
    expect(room.membership.mention_count).toBe(0);
  });

  test("goes down to what lies after the mark", async () => {
    const { owner, member } = cast;
    const roomId = await world.room("partly-read", owner, [member]);
    const first = await owner.say(roomId, "@member one");
    await owner.say(roomId, "@member two");
    await member.post(`/api/rooms/${roomId}/read`, { message_id: first.id });
    expect(await countOf(member, roomId)).toEqual({ unread: true, mentions: 1 });
  });
});

describe("the unread signal", () => {
  test("says who is mentioned, once for each socket that has the room closed", async () => {
    const { owner, member, roomAdmin } = cast;
    const roomId = await world.room("signalled", owner, [member, roomAdmin]);
    const [closed, elsewhere, open, other, author] = await Promise.all([
      member.socket(),
      member.socket(),
      member.socket(),
      roomAdmin.socket(),
      owner.socket(),
    ]);
    await open.join(roomId);
    const { id } = await owner.say(roomId, "@member and @owner, look");
    await open.next("message");
    const heard = async (socket: typeof closed) => {
      await socket.next("unread");
      await socket.drain();
      const unread = socket.heard.filter(({ type }) => type === "unread");
      return unread.map(({ message_id, mention }) => ({ message_id, mention }));
    };
    expect(await heard(closed)).toEqual([{ message_id: id, mention: true }]);
    expect(await heard(elsewhere)).toEqual([{ message_id: id, mention: true }]);
    expect(await heard(other)).toEqual([{ message_id: id, mention: false }]);
    expect(await heard(author)).toEqual([{ message_id: id, mention: false }]);
    expect((await open.drain()).filter(({ type }) => type === "unread")).toEqual([]);
    // And still receives messages without a mention.
    await owner.say(roomId, "plain");
    expect(await closed.next("unread")).toMatchObject({ mention: false });
    for (const socket of [closed, elsewhere, open, other, author]) socket.close();
  });
});
