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
