import type { Frame } from "../../../src/wire/frames.ts";
import type { File as StoredFile, Image, Quote } from "../../../src/wire/models.ts";
import type { Failure } from "./api.ts";
import type { SharedStorage } from "./storage.ts";

/** The parts of a message besides its text. */
export type MessageParts = {
  /** Stored uploads of the message. */
  image: Image | null;
  file: StoredFile | null;
  /** These are absent in entries that an earlier version has stored. */
  group_id?: string | null;
  /** The root of the thread in which it replies. */
  thread_id?: string | null;
  /** The quoted message, as it is shown until this one is stored. */
  quote?: Quote | null;
  /** The draft that was saved with its `client_id` is cleared with it. */
  clears_draft?: boolean;
};

/** A message that was written and is not known to be stored by the service. */
export type OutboxEntry = MessageParts & {
  client_id: string;
  room_id: string;
  /** Empty where there is only an upload. */
  content: string;
  written_at: string;
  /** Higher than that of every entry written before it. */
  order: number;
  /** Failed attempts since it was written, or since the person asked for a retry. */
  attempts: number;
  /** Why the last attempt failed; null before one did. */
  problem: Failure | null;
  /** Whether the service refused it: it is not sent again unless the person asks for it. */
  is_refused: boolean;
};

/** The frame that posts a message. */
export function toFrame({ client_id, room_id, content, ...parts }: OutboxEntry): Frame {
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
/** All of them as JSON, in UTF-16 units. A browser gives a site about five million. */
const MAX_OUTBOX_LENGTH = 1_000_000;

/**
 * The entries of one person's outbox, the same in all tabs. Each entry has a storage key of its own,
 * so that tabs that write at the same time do not overwrite each other.
 */
export class OutboxEntries {
  #entries = new Map<string, OutboxEntry>();
  /** Entries that the storage refused: only this tab has them. */
  readonly #unstored = new Set<string>();
  readonly #stopWatching: () => void;

  /**
   * @param key prefix of the storage keys, one for each person
   * @param handlers onForeign is called when another tab has written an entry, which it sends itself;
   *   onChange after every other change
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

  /** Adds or replaces an entry. What the browser has no space for is kept in this tab. */
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

  delete(clientId: string): void {
    this.#entries.delete(clientId);
    this.#unstored.delete(clientId);
    this.storage.removeItem(this.#keyOf(clientId));
    this.handlers.onChange();
  }

  /** Reads what is stored now, for a tab that may have slept through changes. */
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
