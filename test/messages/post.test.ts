import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { type Client, expectProblem } from "../support/client.ts";
import { people, World } from "../support/world.ts";

let world: World;
let cast: Awaited<ReturnType<typeof people>>;
beforeAll(async () => {
  world = await World.start();
  cast = await people(world);
});
afterAll(() => world.stop());

const path = (roomId: string) => `/api/rooms/${roomId}/messages`;

describe("posting over REST", () => {
  test("answers 201 with every documented field", async () => {
    const { member, rooms } = cast;
    const message = await member.say(rooms.secret, "Hello *there*");
    expect(message).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      room_id: rooms.secret,
      seq: expect.any(Number),
      author: {
        id: member.user.id,
        username: "member",
        display_name: null,
        avatar_url: null,
        is_bot: false,
        is_active: true,
        profile_version: 0,
      },
      content: "Hello *there*",
      image: null,
      file: null,
      reactions: [],
      preview_url: null,
      preview: null,
      mentions: [],
      broadcast: null,
      room_references: [],
      group_id: null,
      pinned: null,
      thread_id: null,
      thread: null,
      root: null,
      quote: null,
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      edited_at: null,
      deleted_at: null,
      via: null,
      client_id: null,
    });
  });

  test("stores text as written: blanks around it, Unicode, right-to-left", async () => {
    const content = "  👩‍👩‍👧 مرحبا\n\tend  ";
    const { id } = await cast.member.say(cast.rooms.secret, content);
    const read = await cast.member.get(`/api/messages/${id}`);
    expect(read.body.content).toBe(content);
  });

  test.each([
    ["no text", {}],
    ["null", { content: null }],
    ["blank text", { content: " \n\t " }],
  ])("refuses %s", async (_, body) => {
    expectProblem(await cast.member.post(path(cast.rooms.secret), body), 422, "empty_message");
  });

  test("takes 8,000 code points and refuses 8,001", async () => {
    const { member, rooms } = cast;
    const most = await member.post(path(rooms.secret), { content: "😀".repeat(8_000) });
    expect(most.status).toBe(201);
    expectProblem(
      await member.post(path(rooms.secret), { content: "a".repeat(8_001) }),
      422,
      "validation",
    );
  });

  test("refuses NUL and half a surrogate pair", async () => {
    for (const content of ['"a\\u0000b"', '"\\ud800"']) {
      const answer = await cast.member.call(
        "POST",
        path(cast.rooms.secret),
        `{"content":${content}}`,
      );
      expectProblem(answer, 422, "validation");
    }
  });

  test("refuses an upload that nobody made", async () => {
    const answer = await cast.member.post(path(cast.rooms.secret), {
      content: "see",
      image_id: Bun.randomUUIDv7(),
    });
    expectProblem(answer, 422, "unknown_upload");
  });

  test("refuses an archived room", async () => {
    const { owner } = cast;
    const roomId = await world.room("archive-post", owner);
    await world.archive("archive-post", true);
    expectProblem(await owner.post(path(roomId), { content: "late" }), 409, "room_archived");
  });
});

describe("posting with a client_id", () => {
  test("a second time answers 200 with the first message and makes nothing", async () => {
    const { member, rooms } = cast;
    const client_id = crypto.randomUUID();
    const first = await member.say(rooms.open, "once", { client_id });
    const again = await member.post(path(rooms.open), { content: "twice", client_id });
    expect(again).toMatchObject({
      status: 200,
      body: { id: first.id, content: "once", client_id },
    });
    const { body } = await member.get(`${path(rooms.open)}?limit=200`);
    expect(body.items.filter((m: { id: string }) => m.id === first.id)).toHaveLength(1);
    expect(body.items.map((m: { content: string }) => m.content)).not.toContain("twice");
  });

  test("many at once make one message", async () => {
    const { member, rooms } = cast;
    const client_id = crypto.randomUUID();
    const other = await world.secondInstance();
    const elsewhere = await world.signIn(member.user, other);
    const posts = Array.from({ length: 40 }, (_, i) =>
      (i % 2 ? member : elsewhere).post(path(rooms.open), { content: `try ${i}`, client_id }),
    );
    const answers = await Promise.all(posts);
    expect(new Set(answers.map((a) => a.body.id)).size).toBe(1);
    expect(answers.filter((a) => a.status === 201)).toHaveLength(1);
    expect(answers.filter((a) => a.status === 200)).toHaveLength(39);
  });

  test("is the author's own: another may use the same, and does not see it", async () => {
    const { member, roomAdmin, rooms } = cast;
    const client_id = crypto.randomUUID();
    const mine = await member.say(rooms.open, "mine", { client_id });
    const theirs = await roomAdmin.say(rooms.open, "theirs", { client_id });
    expect(theirs.id).not.toBe(mine.id);
    const seen = await roomAdmin.get(`/api/messages/${mine.id}`);
    expect(seen.body.client_id).toBeNull();
  });
});

describe("a client_id in two rooms", () => {
  test("makes one message, and others of the same batch are not harmed", async () => {
    const { member, owner, rooms } = cast;
    const second = await world.room("second", owner, [member]);
    for (let round = 0; round < 5; round++) {
      const client_id = crypto.randomUUID();
      const answers = await Promise.all([
        ...[rooms.open, second].map((id) => member.post(path(id), { content: "once", client_id })),
        ...[1, 2, 3].map(() => owner.post(path(second), { content: "beside" })),
      ]);
      const statuses = answers.map(({ status }) => status);
      expect(statuses.slice(0, 2).sort()).toEqual([201, 409]);
      expect(statuses.slice(2)).toEqual([201, 201, 201]);
      const match = answers.find(({ status }) => status === 409);
      if (match) expectProblem(match, 409, "client_id_used");
    }
  });

  test("reveals nothing of a message in a room that its author was removed from", async () => {
    const { member, owner, rooms } = cast;
    const room = await world.room("left", owner, [member]);
    const client_id = crypto.randomUUID();
    const first = await member.say(room, "a secret of this room", { client_id });
    await owner.delete(`/api/rooms/${room}/members/${member.user.id}`);
    const again = { content: "once more", client_id };
    const elsewhere = await member.post(path(rooms.open), again);
    expectProblem(elsewhere, 409, "client_id_used");
    const there = await member.post(path(room), again);
    expectProblem(there, 404, "room_not_found");
    for (const { body } of [elsewhere, there]) {
      expect(JSON.stringify(body)).not.toContain("secret");
      expect(JSON.stringify(body)).not.toContain(first.id);
    }
  });
});

describe("the room's numbers", () => {
  test("grow by one without gaps, whatever fails between", async () => {
    const { member, owner, outsider } = cast;
    const roomId = await world.room("numbers", owner, [member]);
    const other = await world.secondInstance();
    const elsewhere = await world.signIn(owner.user, other);
    const authors: Client[] = [member, owner, elsewhere, outsider];
    const posts = Array.from({ length: 120 }, (_, i) => {
      const author = authors[i % authors.length] as Client;
      return author.post(path(roomId), { content: i % 7 === 0 ? "" : `number ${i}` });
    });
    const taken = (await Promise.all(posts)).filter((answer) => answer.status === 201);
    expect(taken.length).toBeGreaterThan(50);
    const { body } = await member.get(`/api/rooms/${roomId}/changes?after=0&limit=500`);
    const seqs = body.items.map((event: { seq: number }) => event.seq);
    expect(seqs).toEqual(Array.from({ length: seqs.length }, (_, i) => i + 1));
    expect(body).toMatchObject({ seq: seqs.length, has_more: false });
    const times = body.items
      .filter((event: { type: string }) => event.type === "message")
      .map((event: { message: { created_at: string } }) => event.message.created_at);
    expect(times).toHaveLength(taken.length);
    expect(times).toEqual(times.toSorted());
  });
});
