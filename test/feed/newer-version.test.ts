import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { Post } from "../webhooks/outgoing/support.ts";

let post: Post;
beforeAll(async () => {
  post = await Post.open();
});
afterAll(() => post?.close());

/** Appends an event of a type that only a newer version knows, as that version does. */
async function appendNewer(roomId: string, messageId: string): Promise<number> {
  const [row] = await post.world.database.sql`
    with room as (
      update rooms set last_seq = last_seq + 1 where id = ${roomId} returning id, last_seq
    ), entry as (
      insert into room_log (room_id, seq, type, message_id)
      select id, last_seq, 'message_pinned', ${messageId}::uuid from room returning seq
    )
    select seq, pg_notify('snug_feed', '- ' || ${roomId}::text || ':' || seq) from entry`;
  return row?.seq;
}

describe("an event of a newer version's type", () => {
  test("moves the room's number and changes nothing, live, in replay, changes and webhooks", async () => {
    const line = await post.room();
    const { roomId } = line;
    const message = await line.say("first");
    const socket = await post.ada.socket();
    await socket.join(roomId);
    const seq = await appendNewer(roomId, message.id);
    const newer = { type: "message_pinned", room_id: roomId, seq };
    expect(await socket.next((event) => event.seq === seq)).toEqual(newer);
    const next = await line.say("second");
    expect(await socket.next("message")).toMatchObject({ seq: seq + 1, message: { id: next.id } });

    expect(await socket.join(roomId, seq - 1)).toBe(seq + 1);
    expect(await socket.next((event) => event.seq === seq)).toEqual(newer);
    const changes = await post.ada.get(`/api/rooms/${roomId}/changes?after=${seq - 1}`);
    expect(changes.body.items).toMatchObject([newer, { type: "message", seq: seq + 1 }]);

    const delivered = (await line.until(2)).map(({ body }) => body);
    expect(delivered).toMatchObject([
      { type: "message.created", data: { message: { id: message.id } } },
      { type: "message.created", data: { message: { id: next.id } } },
    ]);
    socket.close();
  });
});
