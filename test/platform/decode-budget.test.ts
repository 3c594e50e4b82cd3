import { expect, test } from "bun:test";
import { MAX_DECODE_BYTES, reserveDecodeBytes } from "../../src/platform/images/decode-budget.ts";

test("decoders wait for memory, and above a number of them the next is refused at once", async () => {
  const gate = Promise.withResolvers<void>();
  const allStarted = Promise.withResolvers<void>();
  let running = 0;
  const work = async () => {
    if (++running === 4) allStarted.resolve();
    await gate.promise;
  };
  const small = Array.from({ length: 4 }, () => reserveDecodeBytes(1, work));
  await allStarted.promise;
  const large = Array.from({ length: 64 }, () => reserveDecodeBytes(MAX_DECODE_BYTES, work));
  await expect(reserveDecodeBytes(1, work)).rejects.toMatchObject({
    code: "unavailable",
    extensions: { retryAfter: 5 },
  });
  expect(running).toBe(4);
  gate.resolve();
  await Promise.all([...small, ...large]);
  expect(running).toBe(68);
});
