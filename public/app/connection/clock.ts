/** Time, handed in so that tests need not wait for it. */
export type Clock = {
  now(): number;
  /** @returns a function that cancels it */
  after(ms: number, run: () => void): () => void;
};

export const realClock: Clock = {
  now: () => Date.now(),
  after(ms, run) {
    const timer = setTimeout(run, ms);
    return () => clearTimeout(timer);
  },
};
