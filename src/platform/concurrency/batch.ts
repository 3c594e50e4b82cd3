import { Refusal } from "../refusal.ts";

/** A write's result for an item whose key is locked elsewhere: the item is written separately. */
export const LOCKED = new Error("The item's key is locked elsewhere.");

type WaitingItem<I, O> = {
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
   * A second concurrent write starts when this many items are waiting. Fewer wait for the next write,
   * since each write has a fixed cost.
   */
  secondWriteAt?: number;
  /** Items with the same key are never in two concurrent writes, so they stay in order. */
  keyOf?(item: I): string;
  /** Maximum number of waiting and in-flight items; `add` rejects more. */
  maxItems?: number;
  /** Maximum size of waiting and in-flight items in bytes, by `sizeOf`. */
  maxBytes?: number;
  sizeOf?(item: I): number;
};

/**
 * Maximum number of concurrent writes of locked keys, each of which waits for its lock on its own
 * connection.
 */
const MAX_SEPARATE = 2;
/** An item with a locked key is rejected after waiting this long. */
const MAX_LOCKED_MS = 10_000;

/**
 * Groups the items that arrive during a write into the next write: when idle, an item is written alone
 * immediately; under load, one flush to disk serves many items. A locked key delays only its own items.
 * Unlike a `Coalescer`, it returns a result for each item and keeps the order by key.
 */
export class Batch<I, O> {
  #waitingItems: WaitingItem<I, O>[] = [];
  #writes = 0;
  /** The waiting items of locked keys, in the order in which the keys were found to be locked. */
  readonly #itemsByLockedKey = new Map<string, WaitingItem<I, O>[]>();
  readonly #separate = new Set<string>();
  readonly #busy = new Set<string>();
  /** All waiting items have keys that are being written, so the end of a write checks again. */
  #isBlocked = false;
  #idle: (() => void)[] = [];
  #items = 0;
  #bytes = 0;
  readonly #options: Required<BatchOptions<I>>;

  /**
   * @param write writes all items, or none if it throws. A result that is an Error fails its item.
   * `LOCKED` causes another write with the other items of the key and with `isSeparate`, which waits
   * for the lock.
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
   * @throws Refusal `unavailable` if too many items are waiting
   */
  add(item: I): Promise<O> {
    const { keyOf, sizeOf, maxItems, maxBytes } = this.#options;
    const bytes = sizeOf(item);
    if (this.#items >= maxItems || this.#bytes + bytes > maxBytes) {
      return Promise.reject(
        makeUnavailableRefusal("Too much is waiting already. Try again in a moment."),
      );
    }
    this.#items += 1;
    this.#bytes += bytes;
    return new Promise<O>((resolve, reject) => {
      const key = keyOf(item);
      const entry = { item, key, bytes, since: performance.now(), resolve, reject };
      (this.#itemsByLockedKey.get(key) ?? this.#waitingItems).push(entry);
      this.#next();
    });
  }

  #resolve(entry: WaitingItem<I, O>, result: O | Error): void {
    this.#items -= 1;
    this.#bytes -= entry.bytes;
    if (result instanceof Error) entry.reject(result);
    else entry.resolve(result);
  }

  /** Resolves when no items are waiting or being written. */
  async idle(): Promise<void> {
    if (!this.#isIdle) await new Promise<void>((resolve) => this.#idle.push(resolve));
  }

  get #isIdle(): boolean {
    return this.#writes === 0 && this.#itemsByLockedKey.size === 0;
  }

  #next(): void {
    if (this.#writes > 1 || this.#waitingItems.length === 0) return;
    const { maxItemsPerWrite, secondWriteAt } = this.#options;
    const isSecond = this.#writes === 1;
    if (isSecond && (this.#isBlocked || this.#waitingItems.length < secondWriteAt)) return;
    // The first waiting items whose keys are not being written.
    let batch: WaitingItem<I, O>[] = [];
    if (this.#busy.size === 0) batch = this.#waitingItems.splice(0, maxItemsPerWrite);
    else {
      this.#waitingItems = this.#waitingItems.filter((entry) => {
        if (batch.length >= maxItemsPerWrite || this.#busy.has(entry.key)) return true;
        batch.push(entry);
        return false;
      });
    }
    if (batch.length > 0) void this.#flush(batch);
    else this.#isBlocked = true;
  }

  async #flush(batch: WaitingItem<I, O>[]): Promise<void> {
    const keys = new Set(batch.map((entry) => entry.key));
    this.#writes += 1;
    for (const key of keys) this.#busy.add(key);
    const lockedEntries = await this.#settle(batch, false);
    this.#writes -= 1;
    this.#isBlocked = false;
    for (const key of keys) this.#busy.delete(key);
    if (lockedEntries.length > 0) this.#block(lockedEntries);
    this.#continue();
  }

  /** Makes later items with these keys wait behind them. */
  #block(entries: WaitingItem<I, O>[]): void {
    const keys = new Set(entries.map((entry) => entry.key));
    const behind = this.#waitingItems.filter((entry) => keys.has(entry.key));
    this.#waitingItems = this.#waitingItems.filter((entry) => !keys.has(entry.key));
    for (const key of keys) this.#itemsByLockedKey.set(key, []);
    for (const entry of [...entries, ...behind]) this.#itemsByLockedKey.get(entry.key)?.push(entry);
  }

  #continue(): void {
    for (const key of this.#itemsByLockedKey.keys()) {
      if (this.#separate.size >= MAX_SEPARATE) break;
      if (!this.#separate.has(key)) void this.#flushSeparately(key);
    }
    this.#next();
    if (this.#isIdle) for (const resolve of this.#idle.splice(0)) resolve();
  }

  async #flushSeparately(key: string): Promise<void> {
    const batch = this.#itemsByLockedKey.get(key)?.splice(0, this.#options.maxItemsPerWrite) ?? [];
    this.#separate.add(key);
    const late = performance.now() - MAX_LOCKED_MS;
    const inTime = batch.filter((entry) => entry.since > late);
    const tooLate = batch.filter((entry) => entry.since <= late);
    for (const entry of tooLate) this.#resolve(entry, makeUnavailableRefusal());
    for (const entry of await this.#settle(inTime, true))
      this.#resolve(entry, makeUnavailableRefusal());
    this.#separate.delete(key);
    // Newer items with the key are written in normal batches again.
    this.#waitingItems = [...(this.#itemsByLockedKey.get(key) ?? []), ...this.#waitingItems];
    this.#itemsByLockedKey.delete(key);
    this.#isBlocked = false;
    this.#continue();
  }

  /** @returns the items whose key is locked */
  async #settle(batch: WaitingItem<I, O>[], isSeparate: boolean): Promise<WaitingItem<I, O>[]> {
    if (batch.length === 0) return [];
    const lockedEntries: WaitingItem<I, O>[] = [];
    try {
      const items = batch.map(({ item }) => item);
      const results = await this.write(items, isSeparate);
      for (const [i, entry] of batch.entries()) {
        const result = results[i] as O | Error;
        if (result === LOCKED) lockedEntries.push(entry);
        else this.#resolve(entry, result);
      }
    } catch (error) {
      for (const entry of batch) this.#resolve(entry, error as Error);
    }
    return lockedEntries;
  }
}

function makeUnavailableRefusal(detail = "This is busy. Try again in a moment."): Refusal {
  return new Refusal("unavailable", detail, { retryAfter: 1 });
}
