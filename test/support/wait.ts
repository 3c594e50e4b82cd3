import { expect } from "bun:test";

/**
 * Waits until a condition holds, and looks every few milliseconds.
 * @throws Error after the limit, with the source of the condition
 */
export async function eventually(
  holds: () => boolean | Promise<boolean>,
  limitMs = 60_000,
): Promise<void> {
  // Not `Date`, which tests move.
  const deadline = performance.now() + limitMs;
  while (!(await holds())) {
    if (performance.now() > deadline) throw new Error(`Not within ${limitMs} ms: ${holds}`);
    await Bun.sleep(5);
  }
}

/** Expects what is read from a page, once the page has drawn what was done before. */
export async function expectSoon<T>(read: () => Promise<T>, expected: T): Promise<void> {
  const last: { value?: T } = {};
  await eventually(async () => {
    last.value = await read();
    return Bun.deepEquals(last.value, expected);
  }, 10_000).catch(() => expect(last.value).toEqual(expected));
}
