import { afterAll, beforeAll, expect, test } from "bun:test";
import sharp from "sharp";
import { pruneUploads } from "../../jobs/prune.ts";
import { openStore } from "../../src/platform/storage/open.ts";
import { picture } from "../support/images.ts";
import { Bucket } from "../support/s3.ts";
import { Place } from "./support.ts";

let bucket: Bucket;
let place: Place;
beforeAll(async () => {
  bucket = await Bucket.open();
  place = await Place.open(bucket.environment);
});
afterAll(async () => {
  await place.close();
  await bucket.close();
});

test("a service with a bucket keeps images there, and serves them from there", async () => {
  const { body } = await place.member.upload(place.images, await picture("jpeg", 800, 400));
  const whole = await place.read(body.url);
  const thumb = await place.read(`${body.url}?size=thumb`);
  expect((await sharp(whole.bytes).metadata()).width).toBe(800);
  for (const { headers, bytes } of [whole, thumb]) {
    expect(headers.get("content-length")).toBe(String(bytes.length));
  }
  expect((await sharp(thumb.bytes).metadata()).width).toBe(640);
  const keys = [whole, thumb].map(({ headers }) => `uploads/${headers.get("etag")?.slice(1, -1)}`);
  expect(await bucket.keys()).toEqual(keys.sort());
  expect([await place.kept(), await place.incoming()]).toEqual([[], []]);
});

test("a service with a bucket serves ranges of files", async () => {
  const bytes = crypto.getRandomValues(new Uint8Array(60_000));
  const { body } = await place.member.upload(place.files, bytes, "x");
  const part = await place.read(body.url, { range: "bytes=100-199" });
  expect([part.status, part.headers.get("content-range")]).toEqual([206, "bytes 100-199/60000"]);
  expect(Buffer.from(part.bytes).equals(bytes.subarray(100, 200))).toBe(true);
  const all = await place.read(body.url, { range: "bytes=0-1", "if-range": '"x"' });
  expect([all.status, Buffer.from(all.bytes).equals(bytes)]).toEqual([200, true]);
  expect(part.headers.get("content-length")).toBe("100");
  const medium = crypto.getRandomValues(new Uint8Array(65_536));
  const response = await place.member.upload(
    place.files,
    Buffer.concat(Array(12).fill(medium)),
    "y",
  );
  const whole = await place.read(response.body.url);
  expect(whole.headers.get("content-length")).toBe(String(12 * 65_536));
  const large = new Uint8Array(2_000_000).fill(7);
  const answer = await place.member.upload(place.files, large, "large");
  expect(Buffer.from((await place.read(answer.body.url)).bytes).equals(large)).toBe(true);
  const head = await place.member.call("HEAD", body.url);
  expect(head.headers.get("content-length")).toBe("60000");
});

test("what nothing names is removed from the bucket", async () => {
  await place.member.upload(place.files, new TextEncoder().encode("orphan"), "x");
  await place.sql`delete from message_files`;
  await place.sql`delete from message_images`;
  await place.sql`update blobs set touched_at = clock_timestamp() - interval '2 hours'`;
  const { storage } = openStore({ dataDir: place.folder, s3: bucket.settings });
  const ever = new AbortController().signal;
  await pruneUploads(place.world.database, storage, ever);
  expect(await bucket.keys()).toEqual([]);
});
