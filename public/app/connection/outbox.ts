import type { Answer } from "../../../src/wire/events.ts";
import type { Frame } from "../../../src/wire/frames.ts";
import type { File as StoredFile, Image, Message } from "../../../src/wire/models.ts";
import type { Clock } from "./clock.ts";
import type { Trouble } from "./api.ts";

/** A message that was written and is not known to be stored. */
export type OutboxEntry = {
  client_id: string;
  room_id: string;
  /** Empty where there is only an upload. */
  content: string;
  /** Uploads that are stored and go with it. */
  image: Image | null;
  file: StoredFile | null;
  written_at: string;
  /** Why it was refused; null while it waits. */
  refused: Trouble | null;
};

/** Where words are kept over a reload: `localStorage`, or a Map in tests. */
export type KeyValue = {
  getItem(key: string): string | null;
  setItem(key: string, value: string): void;
  removeItem(key: string): void;
};

export type OutboxDeps = {
  storage: KeyValue;
  /** One's own, so that two who share a browser do not send each other's words. */
  key: string;
  clock: Clock;
  send(frame: Frame): boolean;
  newId(): string;
  onChange(entries: OutboxEntry[]): void;
  onSent(message: Message): void;
};

type Failure = Extract<Answer, { type: "error" }>;

const RETRY_MS = 1_000;
/** What says "not now" rather than "no". */
const PASSING = new Set(["rate_limited", "unavailable", "internal"]);

/**
 * Sends one message after the other and forgets each only when it is acknowledged. What cannot go
 * out waits, over reloads too; a repeated message carries the same `client_id` and so is stored once.
 */
export class Outbox {
  #entries: OutboxEntry[];
  #inFlight: string | null = null;
  #cancelRetry: () => void = () => {};

  constructor(private readonly deps: OutboxDeps) {
    this.#entries = read(deps);
  }

  get entries(): OutboxEntry[] {
    return this.#entries;
  }

  add(
    room_id: string,
    content: string,
    { image, file }: Pick<OutboxEntry, "image" | "file"> = { image: null, file: null },
  ): void {
    const written_at = new Date(this.deps.clock.now()).toISOString();
    const client_id = this.deps.newId();
    const entry = { client_id, room_id, content, image, file, written_at, refused: null };
    this.#set([...this.#entries, entry]);
    this.#next();
  }

  /** The connection stands: what was in flight may be lost, and goes again. */
  resume(): void {
    this.#inFlight = null;
    this.#next();
  }

  retry(clientId: string): void {
    this.#set(this.#entries.map((e) => (e.client_id === clientId ? { ...e, refused: null } : e)));
    this.#next();
  }

  discard(clientId: string): void {
    this.#forget(clientId);
    this.#next();
  }

  acknowledge(clientId: string, message: Message): void {
    this.#forget(clientId);
    this.deps.onSent(message);
    this.#next();
  }

  /** @returns false for an error that is not about a message of this outbox */
  fail({ client_id, code, detail }: Failure): boolean {
    if (!client_id || !this.#entries.some((e) => e.client_id === client_id)) return false;
    if (this.#inFlight === client_id) this.#inFlight = null;
    if (PASSING.has(code)) {
      this.#cancelRetry();
      this.#cancelRetry = this.deps.clock.after(RETRY_MS, () => this.#next());
    } else {
      this.#set(
        this.#entries.map((e) =>
          e.client_id === client_id ? { ...e, refused: { code, detail } } : e,
        ),
      );
      this.#next();
    }
    return true;
  }

  #next(): void {
    if (this.#inFlight !== null) return;
    const entry = this.#entries.find((e) => e.refused === null);
    if (!entry) return;
    const { client_id, room_id, content, image, file } = entry;
    const uploads = {
      ...(image && { image_id: image.id }),
      ...(file && { file_id: file.id }),
    };
    if (this.deps.send({ type: "message", room_id, content, client_id, ...uploads }))
      this.#inFlight = client_id;
  }

  #forget(clientId: string): void {
    if (this.#inFlight === clientId) this.#inFlight = null;
    this.#set(this.#entries.filter((e) => e.client_id !== clientId));
  }

  #set(entries: OutboxEntry[]): void {
    this.#entries = entries;
    if (entries.length > 0) this.deps.storage.setItem(this.deps.key, JSON.stringify(entries));
    else this.deps.storage.removeItem(this.deps.key);
    this.deps.onChange(entries);
  }
}

function read({ storage, key }: OutboxDeps): OutboxEntry[] {
  try {
    const stored: unknown = JSON.parse(storage.getItem(key) ?? "[]");
    return Array.isArray(stored) ? (stored as OutboxEntry[]) : [];
  } catch {
    return [];
  }
}
