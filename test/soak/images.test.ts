import { afterAll, beforeAll, expect, test } from "bun:test";
import sharp from "sharp";
import { expectProblem, formOf } from "../support/client.ts";
import { repeats } from "../support/soak.ts";
import { Place } from "../uploads/support.ts";

const MB = 1_024 ** 2;
/** What is reserved for decoding, and room for the rest of the process. */
const MAX_GROWTH = 900 * MB;

let place: Place;
beforeAll(async () => {
  place = await Place.open();
});
afterAll(() => place.close());

/** A square of one colour: few bytes, many pixels. */
function square(side: number): Promise<Uint8Array> {
  return sharp({ create: { width: side, height: side, channels: 3, background: "#a31" } })
    .avif({ effort: 0 })
    .toBuffer();
}

/** By how many bytes the process grows while work is done. */
async function growthDuring<T>(work: () => Promise<T>): Promise<{ growth: number; result: T }> {
  const before = process.memoryUsage.rss();
  let peak = before;
  const timer = setInterval(() => {
    peak = Math.max(peak, process.memoryUsage.rss());
  }, 5);
  const result = await work();
  clearInterval(timer);
  return { growth: Math.max(peak, process.memoryUsage.rss()) - before, result };
}

test("an AVIF of 1 kB and many megapixels is refused before it is decoded", async () => {
  const bytes = await square(repeats(5_000, 8_000));
  expect(bytes.length).toBeLessThan(2_000);
  const { growth, result } = await growthDuring(() =>
    Promise.all([1, 2, 3].map(() => place.member.upload(place.images, bytes))),
  );
  for (const answer of result) {
    expectProblem(answer, 422, "image_too_big");
    expect(answer.body.detail).toContain("megapixels");
  }
  expect(growth).toBeLessThan(100 * MB);
}, 60_000);

test("images that come at once share the memory for decoding", async () => {
  const count = repeats(2, 24);
  // In a soak 280 MB each while it is decoded.
  const bytes = await square(repeats(2_000, 2_800));
  const { growth, result } = await growthDuring(() =>
    Promise.all(
      Array.from({ length: count }, (_, i) =>
        i % 2 === 0
          ? place.member.upload(place.images, bytes)
          : place.owner.call("PUT", "/api/auth/me/avatar", formOf(bytes, "a.avif")),
      ),
    ),
  );
  for (const { status } of result) expect([200, 201, 503]).toContain(status);
  expect(growth).toBeLessThan(MAX_GROWTH);
}, 120_000);
