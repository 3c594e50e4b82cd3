/** Of ascending numbers, the one below which the given share lies. */
export function percentile(sorted: number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

export type Spread = { min: number; median: number; max: number };

export function spread(values: number[]): Spread {
  const sorted = values.toSorted((a, b) => a - b);
  return {
    min: sorted[0] ?? Number.NaN,
    median: percentile(sorted, 0.5),
    max: sorted.at(-1) ?? Number.NaN,
  };
}

/** Durations in milliseconds, recorded under load. */
export class Latencies {
  #values: number[] = [];

  add(ms: number): void {
    this.#values.push(ms);
  }

  get count(): number {
    return this.#values.length;
  }

  p(share: number): number {
    this.#values.sort((a, b) => a - b);
    return percentile(this.#values, share);
  }
}
