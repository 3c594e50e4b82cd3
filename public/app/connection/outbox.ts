import type { Answer } from "../../../src/wire/events.ts";
import type { Frame } from "../../../src/wire/frames.ts";
import type { File as StoredFile, Image, Quote } from "../../../src/wire/models.ts";
import type { Failure } from "./api.ts";
import type { Clock } from "./clock.ts";
import { type Locks, Ownership } from "./ownership.ts";
import type { SharedStorage } from "./storage.ts";

/** What a message has besides its text. */
type MessageFields = {
  image: Image | null;
  file: StoredFile | null;
  /** These are absent in entries stored by an earlier version. */
  group_id?: string | null;
  /** The root of the message's thread. */
  thread_id?: string | null;
  /** The quoted message, as it is shown until this one is stored. */
  quote?: Quote | null;
  /** Whether the service clears the draft that was saved with the same `client_id`. */
  clears_draft?: boolean;
};

/** A written message that the service has not acknowledged. */
export type OutboxEntry = MessageFields & {
  client_id: string;
  room_id: string;
  /** Empty where there is only an upload. */
  content: string;
  written_at: string;
  /** Higher than that of every entry written before it. */
  order: number;
  /** Failed attempts since it was written or manually retried. */
  attempts: number;
  /** Why the last attempt failed; null before the first failure. */
  problem: Failure | null;
  /** Whether the service refused it: it is sent again only if the person retries it. */
  is_refused: boolean;
};

/** After this many failed attempts the row offers to retry or discard. */
const MAX_QUIET_ATTEMPTS = 3;

/** Whether a waiting message needs its author to retry or discard it. */
export function needsDecision({ is_refused, attempts }: OutboxEntry): boolean {
  return is_refused || attempts >= MAX_QUIET_ATTEMPTS;
}

function toFrame({ client_id, room_id, content, ...parts }: OutboxEntry): Frame {
  const { image, file, group_id, thread_id, quote, clears_draft } = parts;
  return {
    type: "message",
    room_id,
    content,
    client_id,
    ...(image && { image_id: image.id }),
    ...(image?.alt && { image_alt: image.alt }),
    ...(file && { file_id: file.id }),
    ...(group_id && { group_id }),
    ...(thread_id && { thread_id }),
    ...(quote && { quote_id: quote.id }),
    ...(clears_draft && { clears_draft }),
  };
}

/** How many messages may wait: about as many as a person writes in a long day without a connection. */
export const MAX_OUTBOX_ENTRIES = 200;
/** Limits the JSON of all entries, in UTF-16 units. A browser gives a site about five million. */
const MAX_OUTBOX_LENGTH = 1_000_000;

/**
 * The entries of one person's outbox, the same in all tabs. Each entry has its own storage key, so
 * that tabs that write at the same time do not overwrite each other.
 */
class OutboxEntries {
  #entries = new Map<string, OutboxEntry>();
  /** Entries that did not fit in the storage and exist only in this tab. */
  readonly #unstored = new Set<string>();
  readonly #stopWatching: () => void;

  /**
   * @param key prefix of the storage keys, different for each person
   * @param handlers onForeign is called when another tab has written an entry, which it sends
   * itself; onChange after every other change
   */
  constructor(
    private readonly storage: SharedStorage,
    private readonly key: string,
    private readonly handlers: { onChange(): void; onForeign(): void },
  ) {
    splitStoredList(storage, key);
    this.#readAll();
    this.#stopWatching = storage.watch((changed) => {
      if (changed === null) this.reload();
      else if (changed.startsWith(`${key}.`)) this.#follow(changed.slice(key.length + 1));
    });
  }

  /** All entries in the order in which they were written. */
  get all(): OutboxEntry[] {
    return [...this.#entries.values()].sort(
      (a, b) => a.order - b.order || (a.client_id < b.client_id ? -1 : 1),
    );
  }

  get(clientId: string): OutboxEntry | undefined {
    return this.#entries.get(clientId);
  }

  /** Whether this many more entries, with this many UTF-16 units of text in all, are within the limits. */
  hasSpace(count: number, length: number): boolean {
    if (this.#entries.size + count > MAX_OUTBOX_ENTRIES) return false;
    let sum = length;
    for (const entry of this.#entries.values()) sum += JSON.stringify(entry).length;
    return sum <= MAX_OUTBOX_LENGTH;
  }

  /** Adds or replaces an entry. If the browser has no space, the entry exists only in this tab. */
  put(entry: OutboxEntry): void {
    this.#entries.set(entry.client_id, entry);
    try {
      this.storage.setItem(this.#keyOf(entry.client_id), JSON.stringify(entry));
      this.#unstored.delete(entry.client_id);
    } catch {
      this.#unstored.add(entry.client_id);
    }
    this.handlers.onChange();
  }

  /** Call when an entry is acknowledged, or its author discards it. */
  delete(clientId: string): void {
    this.#entries.delete(clientId);
    this.#unstored.delete(clientId);
    this.storage.removeItem(this.#keyOf(clientId));
    this.handlers.onChange();
  }

  /** Reads the stored entries again, because a suspended tab may have missed changes. */
  reload(): void {
    this.#readAll();
    this.handlers.onChange();
  }

  close(): void {
    this.#stopWatching();
  }

  #readAll(): void {
    const entries = new Map<string, OutboxEntry>();
    for (const key of this.storage.keys()) {
      if (!key.startsWith(`${this.key}.`)) continue;
      const entry = readEntry(this.storage, key);
      if (entry) entries.set(entry.client_id, entry);
    }
    for (const id of this.#unstored) {
      const entry = this.#entries.get(id);
      if (entry) entries.set(id, entry);
    }
    this.#entries = entries;
  }

  #follow(clientId: string): void {
    const entry = readEntry(this.storage, this.#keyOf(clientId));
    if (entry) {
      this.#entries.set(clientId, entry);
      this.handlers.onForeign();
    } else if (!this.#unstored.has(clientId)) {
      this.#entries.delete(clientId);
      this.handlers.onChange();
    }
  }

  #keyOf(clientId: string): string {
    return `${this.key}.${clientId}`;
  }
}

function readEntry(storage: SharedStorage, key: string): OutboxEntry | null {
  try {
    const entry = JSON.parse(storage.getItem(key) ?? "null") as OutboxEntry | null;
    return typeof entry?.client_id === "string" && typeof entry.room_id === "string" ? entry : null;
  } catch {
    return null;
  }
}

/** Version 0.1.0 kept all entries in one list under the prefix itself. */
function splitStoredList(storage: SharedStorage, key: string): void {
  const json = storage.getItem(key);
  if (json === null) return;
  try {
    const list = JSON.parse(json) as (OutboxEntry & { refused?: Failure | null })[];
    for (const [order, { refused = null, ...entry }] of list.entries()) {
      const more = { order, attempts: 0, problem: refused, is_refused: refused !== null };
      storage.setItem(`${key}.${entry.client_id}`, JSON.stringify({ ...entry, ...more }));
    }
  } catch {
    // The value was not a list, or there is no space for a copy: it stays for the next start.
    if (json.startsWith("[")) return;
  }
  storage.removeItem(key);
}

type OutboxDeps = {
  storage: SharedStorage;
  /**
   * Null if the browser has no Web Locks: each tab then sends its own messages and those it finds
   * in the storage.
   */
  locks: Locks | null;
  /** Names the storage keys and the lock; different for each person who uses this browser. */
  key: string;
  clock: Clock;
  random(): number;
  /** @returns false if it was not sent */
  send(frame: Frame): boolean;
  newId(): string;
  onChange(entries: OutboxEntry[]): void;
};

type ErrorAnswer = Extract<Answer, { type: "error" }>;

const FIRST_BACKOFF_MS = 1_000;
const MAX_BACKOFF_MS = 60_000;
/** An acknowledgement normally takes milliseconds. */
const ACK_TIMEOUT_MS = 20_000;
/** Rooms that are sent to at the same time, well below the service's burst of 60 frames. */
const MAX_IN_FLIGHT = 10;
/** Error codes that are retried. */
const RETRYABLE = new Set<string>(["rate_limited", "unavailable", "internal"]);
/** Error codes of a frame that the service could not read. They may lack the frame's `ref`. */
const UNREADABLE = new Set<string>(["bad_request", "validation"]);

/**
 * Sends each room's messages one after the other, and deletes each only when it is acknowledged.
 * Unsent messages survive reloads. A retry carries the same `client_id`, so the message is stored
 * once. All tabs may add messages, but only one sends them.
 */
export class Outbox {
  readonly entries: OutboxEntries;
  readonly #ownership: Ownership;
  /** By `client_id`: cancels the wait for its acknowledgement. */
  readonly #inFlight = new Map<string, () => void>();
  /** By the `client_id` of an entry whose attempt failed: cancels its backoff. */
  readonly #backoffs = new Map<string, () => void>();

  constructor(private readonly deps: OutboxDeps) {
    this.entries = new OutboxEntries(deps.storage, deps.key, {
      onChange: () => this.#changed(),
      onForeign: () => deps.onChange(this.entries.all),
    });
    this.#ownership = new Ownership(
      deps.locks,
      deps.key,
      {
        onGain: () => this.entries.reload(),
        onLoss: () => this.#cancelTimers(),
      },
      deps.clock,
    );
    this.#ownership.wait();
  }

  /** @param parts `client_id` is set if its draft was saved with one */
  add(
    roomId: string,
    content: string,
    parts: Partial<MessageFields & { client_id: string }> = {},
  ): void {
    const now = this.deps.clock.now();
    const last = this.entries.all.at(-1)?.order ?? 0;
    this.#ownership.claim();
    this.entries.put({
      client_id: this.deps.newId(),
      room_id: roomId,
      content,
      image: null,
      file: null,
      ...parts,
      written_at: new Date(now).toISOString(),
      order: Math.max(now, last + 1),
      attempts: 0,
      problem: null,
      is_refused: false,
    });
  }

  /** Call when the connection is open again: messages in flight may be lost, and are sent again. */
  resume(): void {
    this.#cancelTimers();
    this.#next();
  }

  /**
   * Call when the person acts in this tab: it takes over messages from a tab that may be suspended.
   */
  claim(): void {
    this.entries.reload();
    if (this.entries.all.length > 0) this.#ownership.claim();
  }

  retry(clientId: string): void {
    const entry = this.entries.get(clientId);
    if (!entry) return;
    this.#ownership.claim();
    this.#cancel(this.#backoffs, clientId);
    // The quoted message is gone, so send it without the quote.
    const quote = entry.problem?.code === "unknown_quote" ? null : entry.quote;
    this.entries.put({ ...entry, quote, attempts: 0, problem: null, is_refused: false });
  }

  /** @returns false for an error that is not about a message of this outbox */
  fail(error: ErrorAnswer): boolean {
    const { code, detail } = error;
    const clientId = error.client_id ?? this.#guessRefused(error);
    const entry = clientId && this.entries.get(clientId);
    if (!entry) return false;
    this.#failed(entry, { code, detail }, !RETRYABLE.has(code));
    return true;
  }

  /** Call when the page is hidden, and perhaps suspended: another tab sends waiting messages. */
  pause(): void {
    this.#cancelTimers();
    this.#ownership.pause();
  }

  /** Call when the page is visible again: it sends once no other tab does. */
  unpause(): void {
    this.entries.reload();
    this.#ownership.wait();
  }

  /** Stops sending, and leaves waiting messages to another tab or the next start. */
  close(): void {
    this.#cancelTimers();
    this.#ownership.close();
    this.entries.close();
  }

  /**
   * The only message in flight, for an error without a `ref`: otherwise it would be retried
   * forever.
   */
  #guessRefused({ code, ref, room_id }: ErrorAnswer): string | undefined {
    if (ref || room_id || !UNREADABLE.has(code) || this.#inFlight.size !== 1) return undefined;
    return [...this.#inFlight.keys()][0];
  }

  #failed(entry: OutboxEntry, problem: Failure, isRefused: boolean): void {
    this.#cancel(this.#inFlight, entry.client_id);
    const attempts = entry.attempts + 1;
    if (!isRefused) {
      const longest = Math.min(MAX_BACKOFF_MS, FIRST_BACKOFF_MS * 2 ** (attempts - 1));
      const wait = longest * (0.5 + this.deps.random());
      const again = () => {
        this.#backoffs.delete(entry.client_id);
        this.#next();
      };
      this.#backoffs.set(entry.client_id, this.deps.clock.after(wait, again));
    }
    this.entries.put({ ...entry, attempts, problem, is_refused: isRefused });
  }

  /**
   * Sends the first entry of each room, unless an entry of that room is in flight or in backoff.
   */
  #next(): void {
    if (!this.#ownership.isOwner) return;
    const rooms = new Set<string>();
    for (const entry of this.entries.all) {
      if (entry.is_refused || rooms.has(entry.room_id)) continue;
      rooms.add(entry.room_id);
      if (this.#inFlight.has(entry.client_id) || this.#backoffs.has(entry.client_id)) continue;
      if (this.#inFlight.size >= MAX_IN_FLIGHT || !this.deps.send(toFrame(entry))) return;
      const giveUp = () => {
        const now = this.entries.get(entry.client_id);
        if (now) this.#failed(now, { code: "not_answering", detail: "" }, false);
      };
      this.#inFlight.set(entry.client_id, this.deps.clock.after(ACK_TIMEOUT_MS, giveUp));
    }
  }

  /** Reacts to entries that this tab has changed, or that another tab has removed. */
  #changed(): void {
    for (const timers of [this.#inFlight, this.#backoffs]) {
      for (const id of timers.keys()) if (!this.entries.get(id)) this.#cancel(timers, id);
    }
    this.deps.onChange(this.entries.all);
    this.#next();
  }

  #cancelTimers(): void {
    for (const timers of [this.#inFlight, this.#backoffs]) {
      for (const id of timers.keys()) this.#cancel(timers, id);
    }
  }

  #cancel(timers: Map<string, () => void>, clientId: string): void {
    timers.get(clientId)?.();
    timers.delete(clientId);
  }
}
