import { Refusal } from "../refusal.ts";

/** A write's result for an item whose key is locked elsewhere: the item is written separately. */
export const LOCKED = new Error("The item's key is locked elsewhere.");

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
  /** Items that wait or are being written, at most; `add` refuses more. */
  maxItems?: number;
  /** The same in bytes, by `sizeOf`. */
  maxBytes?: number;
  sizeOf?(item: I): number;
};

/** Concurrent writes of locked keys: each waits for its lock, on a connection of its own. */
const MAX_SEPARATE = 2;
/** An item with a locked key that has waited this long is refused. */
const MAX_LOCKED_MS = 10_000;

/**
 * Groups the items that arrive while a write is in flight into the next write: idle, an item is
 * written alone and at once; under load one flush to disk serves many. A key that is locked elsewhere
 * delays only its own items. Unlike a `Coalescer`, it has a result for each item, and an order by key.
 */
export class Batch<I, O> {
  #waiting: Waiting<I, O>[] = [];
  #writes = 0;
  /** Locked keys, in the order in which they were found, with the items that wait for them. */
  readonly #locked = new Map<string, Waiting<I, O>[]>();
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
   * `LOCKED` has it written again with others of its key, and `isSeparate`: that write waits for the lock
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
      const entry = { item, key, bytes, since: performance.now(), resolve, reject };
      (this.#locked.get(key) ?? this.#waiting).push(entry);
      this.#next();
    });
  }

  #resolve(entry: Waiting<I, O>, result: O | Error): void {
    this.#items -= 1;
    this.#bytes -= entry.bytes;
    if (result instanceof Error) entry.reject(result);
    else entry.resolve(result);
  }

  /** Resolves when nothing waits and nothing is being written. */
  async idle(): Promise<void> {
    if (!this.#isIdle) await new Promise<void>((resolve) => this.#idle.push(resolve));
  }

  get #isIdle(): boolean {
    return this.#writes === 0 && this.#locked.size === 0;
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
    this.#waiting = this.#waiting.filter((entry) => {
      if (batch.length >= maxItemsPerWrite || this.#busy.has(entry.key)) return true;
      batch.push(entry);
      return false;
    });
    return batch;
  }

  async #flush(batch: Waiting<I, O>[]): Promise<void> {
    const keys = new Set(batch.map((entry) => entry.key));
    this.#writes += 1;
    for (const key of keys) this.#busy.add(key);
    const locked = await this.#settle(batch, false);
    this.#writes -= 1;
    this.#isBlocked = false;
    for (const key of keys) this.#busy.delete(key);
    this.#block(locked);
    this.#continue();
  }

  /** Later items with these keys wait behind them. */
  #block(locked: Waiting<I, O>[]): void {
    if (locked.length === 0) return;
    const keys = new Set(locked.map((entry) => entry.key));
    const behind = this.#waiting.filter((entry) => keys.has(entry.key));
    this.#waiting = this.#waiting.filter((entry) => !keys.has(entry.key));
    for (const key of keys) this.#locked.set(key, []);
    for (const entry of [...locked, ...behind]) this.#locked.get(entry.key)?.push(entry);
  }

  #continue(): void {
    for (const key of this.#locked.keys()) {
      if (this.#separate.size >= MAX_SEPARATE) break;
      if (!this.#separate.has(key)) void this.#flushSeparately(key);
    }
    this.#next();
    if (this.#isIdle) for (const done of this.#idle.splice(0)) done();
  }

  async #flushSeparately(key: string): Promise<void> {
    const batch = this.#locked.get(key)?.splice(0, this.#options.maxItemsPerWrite) ?? [];
    this.#separate.add(key);
    const late = performance.now() - MAX_LOCKED_MS;
    const inTime = batch.filter((entry) => entry.since > late);
    const tooLate = batch.filter((entry) => entry.since <= late);
    for (const entry of tooLate) this.#resolve(entry, makeUnavailable());
    for (const entry of await this.#settle(inTime, true)) this.#resolve(entry, makeUnavailable());
    this.#separate.delete(key);
    // Items that have arrived since are written with the others again.
    this.#waiting = [...(this.#locked.get(key) ?? []), ...this.#waiting];
    this.#locked.delete(key);
    this.#isBlocked = false;
    this.#continue();
  }

  /** @returns the items whose key is locked */
  async #settle(batch: Waiting<I, O>[], isSeparate: boolean): Promise<Waiting<I, O>[]> {
    if (batch.length === 0) return [];
    const locked: Waiting<I, O>[] = [];
    try {
      const items = batch.map(({ item }) => item);
      const results = await this.write(items, isSeparate);
      for (const [i, entry] of batch.entries()) {
        const result = results[i] as O | Error;
        if (result === LOCKED) locked.push(entry);
        else this.#resolve(entry, result);
      }
    } catch (error) {
      for (const entry of batch) this.#resolve(entry, error as Error);
    }
    return locked;
  }
}

function makeUnavailable(detail = "This is busy. Try again in a moment."): Refusal {
  return new Refusal("unavailable", detail, { retryAfter: 1 });
}
