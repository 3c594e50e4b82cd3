import { expect, setDefaultTimeout, test } from "bun:test";
import { hostileTexts, LONGEST } from "../support/hostile-texts.ts";
import { repeats } from "../support/soak.ts";
import { TEXT_WORK } from "../support/text-work.ts";

setDefaultTimeout(3_600_000);
const SEED = Date.now() % 2 ** 31;
/** What costs less than this grows too little to be measured. */
const FLOOR_MS = 10;
/**
 * How much longer the longer text is, and how much more it may cost: 64 times where the cost grows
 * with the square of the length. Where it grows with the length, the garbage collector alone can
 * triple the factor of 8.
 */
const LONGER = 8;
const MAX_GROWTH = 45;
/** A run in which something is compiled or collected takes longer, not all of them. */
const MAX_RUNS = 24;

const TEXTS = hostileTexts(repeats(20, 5_000), SEED).map(({ name, make }) => ({
  name,
  whole: make(LONGEST),
  part: make(LONGEST / LONGER),
}));

/** @returns milliseconds of CPU, which other work on the machine does not change */
function measure(work: (text: string) => unknown, text: string): number {
  const before = process.cpuUsage();
  work(text);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}

test.each(Object.entries(TEXT_WORK))(
  "%s: a text that is twice as long costs about twice as much",
  (_, work) => {
    const steep: string[] = [];
    for (const { name, whole, part } of TEXTS) {
      let long = measure(work, whole);
      if (long < FLOOR_MS) continue;
      let short = measure(work, part);
      const isSteep = () => long >= FLOOR_MS && long > MAX_GROWTH * short;
      for (let run = 1; run < MAX_RUNS && isSteep(); run += 1) {
        long = Math.min(long, measure(work, whole));
        short = Math.min(short, measure(work, part));
      }
      if (isSteep()) steep.push(`${name}: ${short.toFixed(1)} ms, then ${long.toFixed(1)} ms`);
    }
    expect(steep, `seed ${SEED}`).toEqual([]);
  },
);
