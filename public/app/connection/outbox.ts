import type { Answer } from "../../../src/wire/events.ts";
import type { Frame } from "../../../src/wire/frames.ts";
import type { Message } from "../../../src/wire/models.ts";
import type { Failure } from "./api.ts";
import type { Clock } from "./clock.ts";
import { type MessageParts, OutboxEntries, type OutboxEntry, toFrame } from "./outbox-entries.ts";
import { type Locks, Ownership } from "./ownership.ts";
import type { SharedStorage } from "./storage.ts";

export type OutboxDeps = {
  storage: SharedStorage;
  /** Null if the browser has no Web Locks: each tab then sends what is written in it and what it finds stored. */
  locks: Locks | null;
  /** Names the storage keys and the lock; one for each person who uses this browser. */
  key: string;
  clock: Clock;
  random(): number;
  /** @returns false if it was not sent */
  send(frame: Frame): boolean;
  newId(): string;
  onChange(entries: OutboxEntry[]): void;
  onSent(message: Message): void;
};

type ErrorAnswer = Extract<Answer, { type: "error" }>;

const FIRST_BACKOFF_MS = 1_000;
const MAX_BACKOFF_MS = 60_000;
/** An acknowledgement takes milliseconds. */
const ACK_TIMEOUT_MS = 20_000;
/** Rooms that are sent to at the same time, well below the service's burst of 60 frames. */
const MAX_IN_FLIGHT = 10;
/** Error codes that are retried. */
const TRANSIENT = new Set<string>(["rate_limited", "unavailable", "internal"]);
/** Error codes of a frame that the service could not read, which may then not be named. */
const UNREADABLE = new Set<string>(["bad_request", "validation"]);

/**
 * Sends each room's messages one after the other and deletes each only when it is acknowledged. What
 * cannot go out waits, over reloads too; a repeated message carries the same `client_id` and so is
 * stored once. Of several tabs every one may add, and one sends.
 */
export class Outbox {
  readonly #entries: OutboxEntries;
  readonly #ownership: Ownership;
  /** By `client_id`: cancels the wait for its acknowledgement. */
  readonly #inFlight = new Map<string, () => void>();
  /** By the `client_id` of an entry whose attempt failed: cancels its backoff. */
  readonly #backoffs = new Map<string, () => void>();

  constructor(private readonly deps: OutboxDeps) {
    this.#entries = new OutboxEntries(deps.storage, deps.key, {
      onChange: () => this.#changed(),
      onForeign: () => deps.onChange(this.entries),
    });
    this.#ownership = new Ownership(
      deps.locks,
      deps.key,
      {
        onGain: () => this.#entries.reload(),
        onLoss: () => this.#cancelTimers(),
      },
      deps.clock,
    );
    this.#ownership.wait();
  }

  get entries(): OutboxEntry[] {
    return this.#entries.all;
  }

  /** Whether the outbox has space for this many more messages and UTF-16 units of text. */
  hasSpace(count: number, length: number): boolean {
    return this.#entries.hasSpace(count, length);
  }

  /** @param parts with a `client_id` of its own where its draft was saved with one */
  add(
    roomId: string,
    content: string,
    parts: Partial<MessageParts & { client_id: string }> = {},
  ): void {
    const now = this.deps.clock.now();
    const last = this.entries.at(-1)?.order ?? 0;
    this.#ownership.claim();
    this.#entries.put({
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

  /** The connection is open again: a message in flight may be lost, and is sent again. */
  resume(): void {
    this.#cancelTimers();
    this.#next();
  }

  /** The person looks at this tab: it takes over what waits in a tab that may be asleep. */
  claim(): void {
    this.#entries.reload();
    if (this.entries.length > 0) this.#ownership.claim();
  }

  retry(clientId: string): void {
    const entry = this.#entries.get(clientId);
    if (!entry) return;
    this.#ownership.claim();
    this.#cancel(this.#backoffs, clientId);
    // The message that it quoted is gone: it is sent without the quote.
    const quote = entry.problem?.code === "unknown_quote" ? null : entry.quote;
    this.#entries.put({ ...entry, quote, attempts: 0, problem: null, is_refused: false });
  }

  discard(clientId: string): void {
    this.#entries.delete(clientId);
  }

  acknowledge(clientId: string, message: Message): void {
    this.deps.onSent(message);
    this.#entries.delete(clientId);
  }

  /** @returns false for an error that is not about a message of this outbox */
  fail(error: ErrorAnswer): boolean {
    const { code, detail } = error;
    const clientId = error.client_id ?? this.#guessRefused(error);
    const entry = clientId && this.#entries.get(clientId);
    if (!entry) return false;
    this.#failed(entry, { code, detail }, !TRANSIENT.has(code));
    return true;
  }

  /** The page is hidden, and perhaps suspended: another one sends what waits. */
  pause(): void {
    this.#cancelTimers();
    this.#ownership.pause();
  }

  /** The page is back: it sends again once no other one does. */
  unpause(): void {
    this.#entries.reload();
    this.#ownership.wait();
  }

  /** Stops sending, and leaves what waits to another tab or the next start. */
  close(): void {
    this.#cancelTimers();
    this.#ownership.close();
    this.#entries.close();
  }

  /** The only message in flight, for an error that names nothing: it would be sent again for ever. */
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
    this.#entries.put({ ...entry, attempts, problem, is_refused: isRefused });
  }

  /** Sends the first entry of each room, unless one of that room is under way or in backoff. */
  #next(): void {
    if (!this.#ownership.isOwner) return;
    const rooms = new Set<string>();
    for (const entry of this.entries) {
      if (entry.is_refused || rooms.has(entry.room_id)) continue;
      rooms.add(entry.room_id);
      if (this.#inFlight.has(entry.client_id) || this.#backoffs.has(entry.client_id)) continue;
      if (this.#inFlight.size >= MAX_IN_FLIGHT || !this.#send(entry)) return;
    }
  }

  #send(entry: OutboxEntry): boolean {
    const { client_id } = entry;
    const acknowledgement = this.deps.send(toFrame(entry));
    if (!acknowledgement) return false;
    const giveUp = () => {
      const now = this.#entries.get(client_id);
      if (now) this.#failed(now, { code: "not_answering", detail: "" }, false);
    };
    this.#inFlight.set(client_id, this.deps.clock.after(ACK_TIMEOUT_MS, giveUp));
    return true;
  }

  /** Reacts to entries that this tab has changed, or that another tab has removed. */
  #changed(): void {
    for (const timers of [this.#inFlight, this.#backoffs]) {
      for (const id of timers.keys()) if (!this.#entries.get(id)) this.#cancel(timers, id);
    }
    this.deps.onChange(this.entries);
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
