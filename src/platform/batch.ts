import { Refusal } from "./refusal.ts";

/** A write's result for an item whose key is locked elsewhere: the item is written separately. */
export const HELD = new Error("The item's key is locked elsewhere.");

type Waiting<I, O> = {
  item: I;
  key: string;
  bytes: number;
  since: number;
  resolve(result: O): void;
  reject(error: Error): void;
};

type BatchOptions<I> = {
  maxItemsPerWrite?: number;
  /**
   * A second write begins beside the first when this many items wait. Fewer wait for the next write,
   * since each write has a fixed cost.
   */
  secondWriteAt?: number;
  /** Items with the same key are never in two writes at a time, so they keep their order. */
  keyOf?(item: I): string;
  /** Items that wait or are being written; past it `add` refuses. */
  maxItems?: number;
  /** The same in bytes, by `sizeOf`. */
  maxBytes?: number;
  sizeOf?(item: I): number;
};

/** Concurrent writes of locked keys: each waits for its lock, on a connection of its own. */
const MAX_SEPARATE = 2;
/** An item with a locked key that has waited this long is refused. */
const MAX_HELD_MS = 10_000;

/**
 * Groups the items that arrive while a write is in flight into the next write: idle, an item is
 * written alone and at once; under load one flush to disk serves many. A key that is locked elsewhere
 * delays only its own items. Unlike a `Coalescer`, it has a result for each item, and an order by key.
 */
export class Batch<I, O> {
  #waiting: Waiting<I, O>[] = [];
  #writes = 0;
  /** Locked keys, in the order in which they were found, with the items that wait for them. */
  readonly #held = new Map<string, Waiting<I, O>[]>();
  readonly #separate = new Set<string>();
  readonly #busy = new Set<string>();
  /** All waiting items have keys that are being written: the end of a write checks again. */
  #isBlocked = false;
  #idle: (() => void)[] = [];
  #items = 0;
  #bytes = 0;
  readonly #options: Required<BatchOptions<I>>;

  /**
   * @param write writes all items or, if it throws, none. A result that is an Error fails its item;
   * `HELD` has it written again with others of its key, and `isSeparate`: that write waits for the lock
   */
  constructor(
    private readonly write: (items: I[], isSeparate: boolean) => Promise<(O | Error)[]>,
    options: BatchOptions<I> = {},
  ) {
    this.#options = {
      maxItemsPerWrite: 500,
      secondWriteAt: Number.POSITIVE_INFINITY,
      keyOf: () => "",
      maxItems: 20_000,
      maxBytes: Number.POSITIVE_INFINITY,
      sizeOf: () => 0,
      ...options,
    };
  }

  /**
   * Resolves once the item is durable.
   * @throws Refusal `unavailable` if too much waits already
   */
  add(item: I): Promise<O> {
    const { keyOf, sizeOf, maxItems, maxBytes } = this.#options;
    const bytes = sizeOf(item);
    if (this.#items >= maxItems || this.#bytes + bytes > maxBytes) {
      return Promise.reject(makeUnavailable("Too much is waiting already. Try again in a moment."));
    }
    this.#items += 1;
    this.#bytes += bytes;
    return new Promise<O>((resolve, reject) => {
      const key = keyOf(item);
      const one = { item, key, bytes, since: performance.now(), resolve, reject };
      (this.#held.get(key) ?? this.#waiting).push(one);
      this.#next();
    });
  }

  #resolve(one: Waiting<I, O>, result: O | Error): void {
    this.#items -= 1;
    this.#bytes -= one.bytes;
    if (result instanceof Error) one.reject(result);
    else one.resolve(result);
  }

  /** Resolves when nothing waits and nothing is being written. */
  async idle(): Promise<void> {
    if (!this.#isIdle) await new Promise<void>((resolve) => this.#idle.push(resolve));
  }

  get #isIdle(): boolean {
    return this.#writes === 0 && this.#held.size === 0;
  }

  #next(): void {
    if (this.#writes > 1 || this.#waiting.length === 0) return;
    const isSecond = this.#writes === 1;
    if (isSecond && (this.#isBlocked || this.#waiting.length < this.#options.secondWriteAt)) return;
    const batch = this.#take();
    if (batch.length > 0) void this.#flush(batch);
    else this.#isBlocked = true;
  }

  /** The first waiting items whose key is in no write. */
  #take(): Waiting<I, O>[] {
    const { maxItemsPerWrite } = this.#options;
    if (this.#busy.size === 0) return this.#waiting.splice(0, maxItemsPerWrite);
    const batch: Waiting<I, O>[] = [];
    this.#waiting = this.#waiting.filter((one) => {
      if (batch.length >= maxItemsPerWrite || this.#busy.has(one.key)) return true;
      batch.push(one);
      return false;
    });
    return batch;
  }

  async #flush(batch: Waiting<I, O>[]): Promise<void> {
    const keys = new Set(batch.map((one) => one.key));
    this.#writes += 1;
    for (const key of keys) this.#busy.add(key);
    const held = await this.#settle(batch, false);
    this.#writes -= 1;
    this.#isBlocked = false;
    for (const key of keys) this.#busy.delete(key);
    this.#setAside(held);
    this.#continue();
  }

  /** Later items with these keys wait behind them. */
  #setAside(held: Waiting<I, O>[]): void {
    if (held.length === 0) return;
    const keys = new Set(held.map((one) => one.key));
    const behind = this.#waiting.filter((one) => keys.has(one.key));
    this.#waiting = this.#waiting.filter((one) => !keys.has(one.key));
    for (const key of keys) this.#held.set(key, []);
    for (const one of [...held, ...behind]) this.#held.get(one.key)?.push(one);
  }

  #continue(): void {
    for (const key of this.#held.keys()) {
      if (this.#separate.size >= MAX_SEPARATE) break;
      if (!this.#separate.has(key)) void this.#flushSeparately(key);
    }
    this.#next();
    if (this.#isIdle) for (const done of this.#idle.splice(0)) done();
  }

  async #flushSeparately(key: string): Promise<void> {
    const batch = this.#held.get(key)?.splice(0, this.#options.maxItemsPerWrite) ?? [];
    this.#separate.add(key);
    const late = performance.now() - MAX_HELD_MS;
    const inTime = batch.filter((one) => one.since > late);
    const tooLate = batch.filter((one) => one.since <= late);
    for (const one of tooLate) this.#resolve(one, makeUnavailable());
    for (const one of await this.#settle(inTime, true)) this.#resolve(one, makeUnavailable());
    this.#separate.delete(key);
    // Items that have arrived since are written with the others again.
    this.#waiting = [...(this.#held.get(key) ?? []), ...this.#waiting];
    this.#held.delete(key);
    this.#isBlocked = false;
    this.#continue();
  }

  /** @returns the items whose key is locked */
  async #settle(batch: Waiting<I, O>[], isSeparate: boolean): Promise<Waiting<I, O>[]> {
    if (batch.length === 0) return [];
    const held: Waiting<I, O>[] = [];
    try {
      const items = batch.map(({ item }) => item);
      const results = await this.write(items, isSeparate);
      for (const [i, one] of batch.entries()) {
        const result = results[i] as O | Error;
        if (result === HELD) held.push(one);
        else this.#resolve(one, result);
      }
    } catch (error) {
      for (const one of batch) this.#resolve(one, error as Error);
    }
    return held;
  }
}

function makeUnavailable(detail = "This is busy. Try again in a moment."): Refusal {
  return new Refusal("unavailable", detail, { retryAfter: 1 });
}
