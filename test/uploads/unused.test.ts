import { afterAll, afterEach, beforeAll, expect, test } from "bun:test";
import { expectProblem, formOf } from "../support/client.ts";
import { picture } from "../support/images.ts";
import { HEAD, RawUpload, TAIL } from "./raw.ts";
import { Place } from "./support.ts";
import { eventually } from "../support/wait.ts";

const KB = 1_024;

let place: Place;
beforeAll(async () => {
  place = await Place.open();
});
afterEach(() => place.sql`delete from messages`.then(() => place.sql`delete from message_files`));
afterAll(() => place.close());

const send = (client = place.member, bytes = 10) =>
  client.upload(place.files, new Uint8Array(bytes), "a");

test("200 uploads that no message uses are enough for one person", async () => {
  const { body: used } = await send();
  await place.sql`insert into message_files (id, room_id, uploader_id, sha256, name, mime, size_bytes)
    select gen_random_uuid(), room_id, uploader_id, sha256, name, mime, size_bytes
    from message_files, generate_series(1, 199)`;
  const response = await send();
  expectProblem(response, 409, "too_many_uploads");
  expect(response.body.detail).toContain("200 uploads");
  expect((await send(place.owner)).status).toBe(201);
  await place.member.say(place.roomId, "look", { file_id: used.id });
  expect((await send()).status).toBe(201);
});

test("images count among them, until a message uses them", async () => {
  const image = await picture("png", 64, 64);
  const { body: used } = await place.member.upload(place.images, image);
  await place.sql`insert into message_files (id, room_id, uploader_id, sha256, name, mime, size_bytes)
    select gen_random_uuid(), room_id, uploader_id, sha256, 'a', 'text/plain', size_bytes
    from message_images, generate_series(1, 199)`;
  expectProblem(await send(), 409, "too_many_uploads");
  await place.member.say(place.roomId, "look", { image_id: used.id });
  expect((await send()).status).toBe(201);
});

test.each([
  [2 * KB, 160 * KB * KB],
  [16 * KB * KB, 320 * KB * KB],
])("so are 20 of the largest size, and 160 MB at least: %d", async (limit, most) => {
  await place.setLimit(limit);
  await place.sql`delete from message_images`;
  await send();
  await place.sql`update message_files set size_bytes = ${most - 1}`;
  expect((await send(place.member, 1)).status).toBe(201);
  expectProblem(await send(), 409, "too_many_uploads");
  await place.sql`update message_files set created_at = created_at - interval '27 hours'`;
  expect((await send()).status).toBe(201);
  await place.setLimit(8 * KB * KB);
});

test("16 uploads of a person may be under way, and the next waits for one to end", async () => {
  const uploads = Array.from({ length: 16 }, () => {
    const upload = new RawUpload(place.member, place.files, "chunked");
    upload.writeChunk(`${HEAD('filename="slow"')}${"x".repeat(2_000)}`);
    return upload;
  });
  await eventually(async () => (await place.incoming()).length >= 16);
  const response = await send();
  expectProblem(response, 429, "rate_limited");
  expect(response.headers.get("retry-after")).toBe("5");
  expect((await send(place.owner)).status).toBe(201);
  const face = formOf(await picture("png", 64, 64), "me.png");
  const avatar = await place.member.call("PUT", "/api/auth/me/avatar", face);
  expectProblem(avatar, 429, "rate_limited");
  for (const upload of uploads) {
    upload.writeChunk(TAIL);
    upload.write("0\r\n\r\n");
    expect((await upload.answer()).status).toBe(201);
  }
  expect((await send()).status).toBe(201);
});
