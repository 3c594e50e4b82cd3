import { Refusal } from "./refusal.ts";

/** What a write answers for an item whose key something else holds: the item is written apart. */
export const HELD = new Error("The item's key is held elsewhere.");

/** Settles one waiting item: with its own result, or with the error it failed with. */
type Waiting<I, O> = {
  item: I;
  key: string;
  bytes: number;
  since: number;
  resolve(result: O): void;
  reject(error: Error): void;
};

export type BatchOptions<I> = {
  /** Items in one write. */
  most?: number;
  /**
   * A second write begins beside the first once so many items wait. Fewer are better off together
   * with the next: each write has a price of its own.
   */
  crowd?: number;
  /** Items of one key are never in two writes at a time, so they keep the order in which they came. */
  keyOf?(item: I): string;
  /** Items that are not yet settled; past it `add` refuses. */
  maxItems?: number;
  /** The same in bytes, by `sizeOf`. */
  maxBytes?: number;
  sizeOf?(item: I): number;
};

/** Writes of held keys at one time: each waits, and has a connection for it. */
const MAX_APART = 2;
/** An item of a held key that has not had its turn after so long is refused. */
const MAX_HELD_MS = 10_000;

/**
 * Groups what arrives while a write is in flight into the next write. Idle, an item goes alone and
 * at once; under load batches form by themselves, and one flush to disk serves many. A key that is
 * held elsewhere delays its own items only: they wait in a write of their own while others go on.
 */
export class Batch<I, O> {
  #waiting: Waiting<I, O>[] = [];
  #writes = 0;
  /** Keys that are held, in the order in which they were found to be, and what waits for them. */
  readonly #held = new Map<string, Waiting<I, O>[]>();
  readonly #apart = new Set<string>();
  readonly #busy = new Set<string>();
  /** All that waited was of keys that are being written: it is looked at again when a write ends. */
  #isBlocked = false;
  #idle: (() => void)[] = [];
  #items = 0;
  #bytes = 0;
  readonly #options: Required<BatchOptions<I>>;

  /**
   * @param write writes all items or, by throwing, none; a result that is an Error fails its item, and
   * `HELD` has it written again with others of its key, `isApart`, where the write waits for the key
   */
  constructor(
    private readonly write: (items: I[], isApart: boolean) => Promise<(O | Error)[]>,
    options: BatchOptions<I> = {},
  ) {
    this.#options = {
      most: 500,
      crowd: Number.POSITIVE_INFINITY,
      keyOf: () => "",
      maxItems: 20_000,
      maxBytes: Number.POSITIVE_INFINITY,
      sizeOf: () => 0,
      ...options,
    };
  }

  /**
   * Resolves once the item is durable.
   * @throws Refusal `unavailable` where too much waits already
   */
  add(item: I): Promise<O> {
    const { keyOf, sizeOf, maxItems, maxBytes } = this.#options;
    const bytes = sizeOf(item);
    if (this.#items >= maxItems || this.#bytes + bytes > maxBytes) {
      return Promise.reject(refuse("Too much is waiting already. Try again in a moment."));
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

  #answer(one: Waiting<I, O>, result: O | Error): void {
    this.#items -= 1;
    this.#bytes -= one.bytes;
    if (result instanceof Error) one.reject(result);
    else one.resolve(result);
  }

  /** Resolves when nothing waits and nothing is being written. */
  idle(): Promise<void> {
    if (this.#isIdle()) return Promise.resolve();
    return new Promise((resolve) => this.#idle.push(resolve));
  }

  #isIdle(): boolean {
    return this.#writes === 0 && this.#held.size === 0;
  }

  #next(): void {
    if (this.#writes > 1 || this.#waiting.length === 0) return;
    if (this.#writes === 1 && (this.#isBlocked || this.#waiting.length < this.#options.crowd))
      return;
    const batch = this.#take();
    if (batch.length > 0) void this.#flush(batch);
    else this.#isBlocked = true;
  }

  /** The first that wait and whose key is in no write. */
  #take(): Waiting<I, O>[] {
    const { most } = this.#options;
    if (this.#busy.size === 0) return this.#waiting.splice(0, most);
    const batch: Waiting<I, O>[] = [];
    this.#waiting = this.#waiting.filter((one) => {
      if (batch.length >= most || this.#busy.has(one.key)) return true;
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
    this.#hold(held);
    this.#goOn();
  }

  /** What came for these keys since then waits behind them. */
  #hold(held: Waiting<I, O>[]): void {
    if (held.length === 0) return;
    const keys = new Set(held.map((one) => one.key));
    const behind = this.#waiting.filter((one) => keys.has(one.key));
    this.#waiting = this.#waiting.filter((one) => !keys.has(one.key));
    for (const key of keys) this.#held.set(key, []);
    for (const one of [...held, ...behind]) this.#held.get(one.key)?.push(one);
  }

  #goOn(): void {
    for (const key of this.#held.keys()) {
      if (this.#apart.size >= MAX_APART) break;
      if (!this.#apart.has(key)) void this.#flushApart(key);
    }
    this.#next();
    if (this.#isIdle()) for (const done of this.#idle.splice(0)) done();
  }

  async #flushApart(key: string): Promise<void> {
    const batch = this.#held.get(key)?.splice(0, this.#options.most) ?? [];
    this.#apart.add(key);
    const late = performance.now() - MAX_HELD_MS;
    const inTime = batch.filter((one) => one.since > late);
    for (const one of batch) if (one.since <= late) this.#answer(one, refuse(BUSY));
    for (const one of await this.#settle(inTime, true)) this.#answer(one, refuse(BUSY));
    this.#apart.delete(key);
    // What came meanwhile goes with the others again.
    this.#waiting = [...(this.#held.get(key) ?? []), ...this.#waiting];
    this.#held.delete(key);
    this.#isBlocked = false;
    this.#goOn();
  }

  /** @returns what was handed back */
  async #settle(batch: Waiting<I, O>[], isApart: boolean): Promise<Waiting<I, O>[]> {
    if (batch.length === 0) return [];
    const held: Waiting<I, O>[] = [];
    try {
      const items = batch.map((one) => one.item);
      const results = await this.write(items, isApart);
      for (const [i, one] of batch.entries()) {
        const result = results[i] as O | Error;
        if (result === HELD) held.push(one);
        else this.#answer(one, result);
      }
    } catch (error) {
      for (const one of batch) this.#answer(one, error as Error);
    }
    return held;
  }
}

const BUSY = "This is busy. Try again in a moment.";

function refuse(detail: string): Refusal {
  return new Refusal("unavailable", detail, { retryAfter: 1 });
}
