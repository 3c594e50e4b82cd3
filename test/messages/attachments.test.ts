import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import sharp from "sharp";
import { type Client, expectProblem, type Json } from "../support/client.ts";
import { people, World } from "../support/world.ts";

let world: World;
let cast: Awaited<ReturnType<typeof people>>;
beforeAll(async () => {
  world = await World.start();
  cast = await people(world);
});
afterAll(() => world.stop());

let count = 0;

/** An image of a colour of its own, uploaded. */
async function uploadImage(uploader: Client, roomId: string): Promise<Json> {
  const background = { r: ++count % 256, g: count >> 8, b: 9 };
  const bytes = await sharp({ create: { width: 8, height: 6, channels: 3, background } })
    .png()
    .toBuffer();
  const answer = await uploader.upload(`/api/rooms/${roomId}/images`, bytes, "a.png", "image/png");
  expect(answer.status).toBe(201);
  return answer.body;
}

async function uploadFile(uploader: Client, roomId: string): Promise<Json> {
  const bytes = new TextEncoder().encode(`file ${++count}`);
  const answer = await uploader.upload(`/api/rooms/${roomId}/files`, bytes, 'a "ö".pdf');
  expect(answer.status).toBe(201);
  return answer.body;
}

const image = async (uploader: Client, roomId: string): Promise<string> =>
  (await uploadImage(uploader, roomId)).id;
const file = async (uploader: Client, roomId: string): Promise<string> =>
  (await uploadFile(uploader, roomId)).id;

const post = (client: Client, roomId: string, body: object) =>
  client.post(`/api/rooms/${roomId}/messages`, body);

describe("a message with uploads", () => {
  test("carries an image and a file, in its answer, its envelope and history", async () => {
    const { member, owner, rooms } = cast;
    const picture = await uploadImage(member, rooms.secret);
    const document = await uploadFile(member, rooms.secret);
    const [image_id, file_id] = [picture.id, document.id];
    const socket = await owner.socket();
    await socket.join(rooms.secret);
    const { status, body } = await post(member, rooms.secret, {
      content: "see",
      image_id,
      file_id,
    });
    expect({ status, body }).toMatchObject({
      status: 201,
      body: {
        content: "see",
        image: picture,
        file: document,
      },
    });
    expect((await socket.next("message")).message).toEqual(body);
    const history = await owner.get(`/api/rooms/${rooms.secret}/messages?limit=1`);
    expect(history.body.items).toEqual([body]);
    socket.close();
  });

  test("says what its image shows, and what it was sent with, over REST and the socket", async () => {
    const { member, owner, rooms } = cast;
    const group_id = Bun.randomUUIDv7();
    const socket = await owner.socket();
    await socket.join(rooms.secret);
    const image_id = await image(member, rooms.secret);
    const first = await post(member, rooms.secret, {
      content: "two",
      image_id,
      image_alt: "  a blue field ",
      group_id: group_id.toUpperCase(),
    });
    expect(first.body).toMatchObject({ group_id, image: { id: image_id, alt: "a blue field" } });
    expect((await socket.next("message")).message).toEqual(first.body);
    const sender = await member.socket();
    const second = { image_id: await image(member, rooms.secret), image_alt: " ", group_id };
    const client_id = Bun.randomUUIDv7();
    sender.send({ type: "message", room_id: rooms.secret, client_id, ...second });
    const { message } = await sender.next("ack");
    expect(message).toMatchObject({ group_id, image: { id: second.image_id, alt: null } });
    const text = await post(member, rooms.secret, { content: "**and** a text", group_id });
    expect(text.body).toMatchObject({ group_id, image: null });
    // An edit loses neither.
    await member.patch(`/api/messages/${text.body.id}`, { content: "a text" });
    await member.patch(`/api/messages/${first.body.id}`, { content: null });
    const { body } = await owner.get(`/api/rooms/${rooms.secret}/messages?limit=3`);
    expect(body.items.map((item: Json) => [item.group_id, item.image?.alt])).toEqual([
      [group_id, "a blue field"],
      [group_id, null],
      [group_id, undefined],
    ]);
    // Words for an image that is not there are no one's.
    const alone = await post(member, rooms.secret, { content: "x", image_alt: "nothing" });
    expect(alone.body).toMatchObject({ image: null, group_id: null });
    expectProblem(
      await post(member, rooms.secret, { content: "x", group_id: "1" }),
      422,
      "validation",
    );
    socket.close();
    sender.close();
  });

  test.each([
    ["no text", {}],
    ["null", { content: null }],
    ["blank text", { content: " \n " }],
  ])("needs no text: %s becomes null", async (_, text) => {
    const { member, rooms } = cast;
    const image_id = await image(member, rooms.secret);
    const { status, body } = await post(member, rooms.secret, { ...text, image_id });
    expect({ status, content: body.content }).toEqual({ status: 201, content: null });
    const withFile = { ...text, file_id: await file(member, rooms.secret) };
    expect((await post(member, rooms.secret, withFile)).body.content).toBeNull();
  });

  test("goes over the socket too", async () => {
    const { member, rooms } = cast;
    const image_id = await image(member, rooms.open);
    const socket = await member.socket();
    const client_id = crypto.randomUUID();
    socket.send({ type: "message", room_id: rooms.open, image_id, client_id });
    const { message } = await socket.next("ack");
    expect(message).toMatchObject({ content: null, image: { id: image_id }, client_id });
    socket.close();
  });

  test("posted again with its client_id is the first, and its upload no longer in question", async () => {
    const { member, rooms } = cast;
    const values = { image_id: await image(member, rooms.open), client_id: crypto.randomUUID() };
    const first = await post(member, rooms.open, values);
    const again = await post(member, rooms.open, values);
    expect([first.status, again.status]).toEqual([201, 200]);
    expect(again.body).toEqual(first.body);
  });
});

describe("an upload is refused", () => {
  test("when it is another's, of another room, unknown, or used", async () => {
    const { member, owner, rooms } = cast;
    const used = await image(member, rooms.secret);
    expect((await post(member, rooms.secret, { image_id: used })).status).toBe(201);
    const usedFile = await file(member, rooms.secret);
    expect((await post(member, rooms.secret, { file_id: usedFile })).status).toBe(201);
    const refused = [
      { image_id: await image(owner, rooms.secret) },
      { image_id: await image(member, rooms.open) },
      { image_id: Bun.randomUUIDv7() },
      { image_id: await file(member, rooms.secret) },
      { image_id: used },
      { file_id: await file(owner, rooms.secret) },
      { file_id: await file(member, rooms.open) },
      { file_id: usedFile },
      { file_id: usedFile, image_id: await image(member, rooms.secret) },
    ];
    for (const body of refused) {
      expectProblem(
        await post(member, rooms.secret, { content: "x", ...body }),
        422,
        "unknown_upload",
      );
    }
  });

  test("to all but one of many messages at once, and harms no other", async () => {
    const { member, owner, rooms } = cast;
    const other = await world.signIn(member.user, await world.secondInstance());
    const image_id = await image(member, rooms.secret);
    const answers = await Promise.all(
      Array.from({ length: 40 }, async (_, i) => {
        const client = i % 3 === 0 ? owner : i % 3 === 1 ? member : other;
        const body = i % 3 === 0 || i % 2 ? { content: `plain ${i}` } : { image_id };
        return { ...(await post(client, rooms.secret, body)), sent: body };
      }),
    );
    const plain = answers.filter(({ sent }) => "content" in sent);
    expect(new Set(plain.map(({ status }) => status))).toEqual(new Set([201]));
    const claims = answers.filter(({ sent }) => "image_id" in sent);
    expect(claims.filter(({ status }) => status === 201)).toHaveLength(1);
    for (const claim of claims) {
      if (claim.status !== 201) expectProblem(claim, 422, "unknown_upload");
    }
  });

  test("by someone who names another's is no loss to its owner, at the same moment", async () => {
    const { member, owner, rooms } = cast;
    const image_id = await image(member, rooms.secret);
    const [theirs, own] = await Promise.all([
      post(owner, rooms.secret, { image_id }),
      post(member, rooms.secret, { image_id }),
    ]);
    expectProblem(theirs, 422, "unknown_upload");
    expect(own.status).toBe(201);
  });
});

describe("editing and deleting", () => {
  test("gives an image a text and takes it away again", async () => {
    const { member, rooms } = cast;
    const image_id = await image(member, rooms.secret);
    const { body } = await post(member, rooms.secret, { image_id });
    const edit = (content: string | null) => member.patch(`/api/messages/${body.id}`, { content });
    expect((await edit("a text, @owner")).body).toMatchObject({
      content: "a text, @owner",
      image: { id: image_id },
      mentions: [{ username: "owner" }],
    });
    expect((await edit("  ")).body).toMatchObject({ content: null, mentions: [] });
    expect((await edit(null)).body).toMatchObject({ content: null, image: { id: image_id } });
    const [row] = await world.database.sql<{ has_embeds: boolean }[]>`
      select has_embeds from messages where id = ${body.id}`;
    expect(row?.has_embeds).toBe(true);
  });

  test("leaves no message without anything", async () => {
    const { id } = await cast.member.say(cast.rooms.secret, "text");
    for (const content of [null, "", " "]) {
      const answer = await cast.member.patch(`/api/messages/${id}`, { content });
      expectProblem(answer, 422, "empty_message");
    }
  });

  test("take its uploads along when it is deleted: their addresses lead nowhere", async () => {
    const { member, owner, rooms } = cast;
    const picture = await uploadImage(member, rooms.secret);
    const document = await uploadFile(member, rooms.secret);
    const message = { image_id: picture.id, file_id: document.id };
    const { body } = await post(member, rooms.secret, message);
    for (const url of [picture.url, document.url]) {
      expect((await owner.get(url)).status).toBe(200);
    }
    await member.delete(`/api/messages/${body.id}`);
    for (const url of [picture.url, document.url]) {
      expectProblem(await owner.get(url), 404, "not_found");
    }
    expectProblem(await post(member, rooms.secret, message), 422, "unknown_upload");
  });
});
