import { expect, setDefaultTimeout, test } from "bun:test";
import { hostileTexts, LONGEST } from "../support/hostile-texts.ts";
import { repeats } from "../support/soak.ts";
import { TEXT_WORK } from "../support/text-work.ts";

setDefaultTimeout(3_600_000);
const SEED = Date.now() % 2 ** 31;
const TEXTS = hostileTexts(repeats(20, 5_000), SEED);

/** What costs less than this grows too little to be measured. */
const FLOOR_MS = 10;
/** How much longer the longer text is, and how much more it may cost: three times for each doubling. */
const LONGER = 8;
const MAX_GROWTH = 27;
/** A machine that does something else in between makes one run longer, not all of them. */
const RUNS = 3;
const ROUNDS = 8;

function measure(work: () => unknown, runs: number): number {
  let best = Number.POSITIVE_INFINITY;
  for (let run = 0; run < runs; run += 1) {
    const started = performance.now();
    work();
    best = Math.min(best, performance.now() - started);
  }
  return best;
}

test.each(Object.entries(TEXT_WORK))(
  "%s: a text that is twice as long costs about twice as much",
  (_, work) => {
    const steep: string[] = [];
    for (const { name, make } of TEXTS) {
      const whole = make(LONGEST);
      if (measure(() => work(whole), 1) < FLOOR_MS) continue;
      const part = make(LONGEST / LONGER);
      let [long, short] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
      const isSteep = () => long >= FLOOR_MS && long > MAX_GROWTH * short;
      for (let round = 0; round === 0 || (round < ROUNDS && isSteep()); round += 1) {
        long = Math.min(
          long,
          measure(() => work(whole), RUNS),
        );
        short = Math.min(
          short,
          measure(() => work(part), RUNS),
        );
      }
      if (isSteep()) steep.push(`${name}: ${short.toFixed(1)} ms, then ${long.toFixed(1)} ms`);
    }
    expect(steep, `seed ${SEED}`).toEqual([]);
  },
);
