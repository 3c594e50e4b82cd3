/**
 * How often a flood, race or fuzz test repeats: `small` in the suite, `large` under `bun run soak`.
 * Such tests live in test/soak, so that one command runs them all.
 */
export function repeats(small: number, large: number): number {
  return process.env.SNUG_SOAK ? large : small;
}

/**
 * A repeatable source of numbers in [0, 1) (mulberry32), so that a failed run can be run again.
 * @param seed printed by the test where it fails; `SNUG_SEED` replaces it
 */
export function seeded(seed: number): () => number {
  let state = Number(process.env.SNUG_SEED ?? seed) >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
