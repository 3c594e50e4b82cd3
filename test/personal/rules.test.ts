import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import sharp from "sharp";
import type { Client } from "../support/client.ts";
import { inMinutes, setStage, type Stage } from "./stage.ts";

/*
 * What a message may name is decided twice: when it is planned (`checkOwnUploads`, `checkTargets`) and when it is posted
 * (`insert.ts`). Both must refuse the same.
 */

let stage: Stage;
let other: string;
let direct: string;
beforeAll(async () => {
  stage = await setStage();
  other = (await stage.newRoom()).id;
  const { ada, ben } = stage;
  direct = (await ada.post("/api/direct", { user_ids: [ben.user.id] })).body.id;
});
afterAll(() => stage.world.stop());

let count = 0;

async function image(uploader: Client, roomId: string): Promise<string> {
  const background = { r: ++count % 256, g: 7, b: 9 };
  const picture = sharp({ create: { width: 8, height: 6, channels: 3, background } });
  const path = `/api/rooms/${roomId}/images`;
  const bytes = await picture.png().toBuffer();
  return (await uploader.upload(path, bytes, "a.png", "image/png")).body.id;
}

async function file(uploader: Client, roomId: string): Promise<string> {
  const bytes = new TextEncoder().encode(`file ${++count}`);
  return (await uploader.upload(`/api/rooms/${roomId}/files`, bytes, "a.txt")).body.id;
}

const say = async (roomId: string, more: object = {}): Promise<string> =>
  (await stage.owner.say(roomId, `text ${++count}`, more)).id;

async function deleted(roomId: string): Promise<string> {
  const id = await say(roomId);
  await stage.owner.delete(`/api/messages/${id}`);
  return id;
}

/** What Ada's message names; each by what is special about it. */
const CASES: Record<string, () => Promise<{ room?: string } & Record<string, string>>> = {
  "her own image": async () => ({ image_id: await image(stage.ada, stage.roomId) }),
  "her own file": async () => ({ file_id: await file(stage.ada, stage.roomId) }),
  "somebody else's image": async () => ({ image_id: await image(stage.ben, stage.roomId) }),
  "somebody else's file": async () => ({ file_id: await file(stage.ben, stage.roomId) }),
  "an image of another room": async () => ({ image_id: await image(stage.ada, other) }),
  "a file of another room": async () => ({ file_id: await file(stage.ada, other) }),
  "an image that a message has used": async () => {
    const image_id = await image(stage.ada, stage.roomId);
    await stage.ada.say(stage.roomId, "used", { image_id });
    return { image_id };
  },
  "a file that a message has used": async () => {
    const file_id = await file(stage.ada, stage.roomId);
    await stage.ada.say(stage.roomId, "used", { file_id });
    return { file_id };
  },
  "an image that does not exist": async () => ({ image_id: Bun.randomUUIDv7() }),
  "a root": async () => ({ thread_id: await say(stage.roomId) }),
  "a reply as the root": async () => {
    return { thread_id: await say(stage.roomId, { thread_id: await say(stage.roomId) }) };
  },
  "a deleted root": async () => ({ thread_id: await deleted(stage.roomId) }),
  "a root of another room": async () => ({ thread_id: await say(other) }),
  "a root that does not exist": async () => ({ thread_id: Bun.randomUUIDv7() }),
  "a root in a room without threads": async () => {
    const { id: room } = await stage.newRoom();
    const thread_id = await say(room);
    await stage.owner.patch(`/api/rooms/${room}`, { threads: "off" });
    return { room, thread_id };
  },
  "a thread from before its room was without them": async () => {
    const { id: room } = await stage.newRoom();
    const thread_id = await say(room);
    await say(room, { thread_id });
    await stage.owner.patch(`/api/rooms/${room}`, { threads: "off" });
    return { room, thread_id };
  },
  "a root in a direct conversation": async () => {
    return { room: direct, thread_id: (await stage.ben.say(direct, "hello")).id };
  },
  "a quoted message": async () => ({ quote_id: await say(stage.roomId) }),
  "a quoted message that is deleted": async () => ({ quote_id: await deleted(stage.roomId) }),
  "a quoted message of another room": async () => ({ quote_id: await say(other) }),
  "a quoted message that does not exist": async () => ({ quote_id: Bun.randomUUIDv7() }),
};

describe("a message that is planned is refused as one that is posted, with", () => {
  test.each(Object.entries(CASES))("%s", async (_, prepare) => {
    const { room = stage.roomId, ...names } = await prepare();
    const content = "a message";
    const time = { send_at: inMinutes(60), zone: "Europe/Lisbon" };
    const planned = await stage.ada.post("/api/scheduled", {
      room_id: room,
      content,
      ...names,
      ...time,
    });
    if (planned.status === 201) await stage.ada.delete(`/api/scheduled/${planned.body.id}`);
    const posted = await stage.ada.post(`/api/rooms/${room}/messages`, { content, ...names });
    const outcomeOf = ({ status, body }: typeof posted) => (status === 201 ? "taken" : body.code);
    expect(outcomeOf(planned)).toBe(outcomeOf(posted));
  });
});
