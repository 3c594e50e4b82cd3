import type { RoomRef } from "../../../../src/wire/models.ts";
import { keepIfSpace, type KeyValue, type SharedStorage } from "../../connection/storage.ts";
import { type DraftCopy, emptyCopy, NO_BODY } from "./draft-copy.ts";
import { draftKey, keepDraft, readDraft } from "./drafts.ts";

import type { DraftPlace } from "./place-key.ts";

/** Facts about a draft that merging does not need. */
export type DraftFacts = {
  /** When it was last written here. */
  at: string;
  /** The room's name on the service; null if I am no longer in it, or it is not known. */
  room: RoomRef | null;
  /** Why the service refuses it: it is only on this device. */
  problem: string | null;
};

export type StoredDraft = DraftCopy & DraftFacts;
/** The text is stored under a key of its own, which the composer of each tab follows. */
type Facts = Omit<StoredDraft, "here"> & { parts: Omit<StoredDraft["here"], "content"> };

export type { DraftPlace } from "./place-key.ts";
export { placeKey } from "./place-key.ts";

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** @returns null for a key that is not of a room of the service */
export function readPlace(key: string): DraftPlace | null {
  const [roomId = "", threadId = null] = key.split(".");
  return UUID.test(roomId) ? { roomId, threadId } : null;
}

const factsKey = (userId: string, key: string) => `snug.draft-copy.${userId}.${key}`;

/** One person's drafts in this browser, shared by its tabs. */
export class DraftStore {
  constructor(
    private readonly storage: SharedStorage,
    private readonly userId: string,
    private readonly now: () => number,
  ) {}

  /** The keys of all stored drafts, with or without a text. */
  keys(): string[] {
    const prefixes = [draftKey(this.userId, ""), factsKey(this.userId, "")];
    const draftKeys = this.storage.keys().flatMap((key) => {
      const prefix = prefixes.find((prefix) => key.startsWith(prefix));
      return prefix === undefined ? [] : [key.slice(prefix.length)];
    });
    return [...new Set(draftKeys)].filter((key) => readPlace(key) !== null);
  }

  /** The key of the draft whose text or facts a storage key has. */
  keyOf(storageKey: string): string | null {
    const prefixes = [draftKey(this.userId, ""), factsKey(this.userId, "")];
    const prefix = prefixes.find((prefix) => storageKey.startsWith(prefix));
    const key = prefix === undefined ? null : storageKey.slice(prefix.length);
    return key !== null && readPlace(key) ? key : null;
  }

  read(key: string): StoredDraft {
    const { here: _, ...none } = emptyCopy;
    const at = new Date(this.now()).toISOString();
    const { parts, ...facts } = readFacts(this.storage, factsKey(this.userId, key));
    // Drafts that an earlier version has stored have no parts.
    const base = { ...none.base, ...facts.base };
    const content = readDraft(this.storage, this.userId, key);
    const here = { ...NO_BODY, ...parts, content };
    return { ...none, at, room: null, problem: null, ...facts, base, here };
  }

  /** @returns whether the text is another one than before */
  write(key: string, { here, ...rest }: StoredDraft): boolean {
    const { content, ...parts } = here;
    const before = readDraft(this.storage, this.userId, key);
    if (content !== before) keepDraft(this.storage, this.userId, key, content);
    const facts: Facts = { ...rest, parts };
    // If there is no space, the next answer of the service brings it again.
    keepIfSpace(this.storage, factsKey(this.userId, key), JSON.stringify(facts));
    return content !== before;
  }

  forget(key: string): void {
    keepDraft(this.storage, this.userId, key, "");
    this.storage.removeItem(factsKey(this.userId, key));
  }
}

function readFacts(storage: KeyValue, key: string): Partial<Facts> {
  try {
    return JSON.parse(storage.getItem(key) ?? "{}") as Partial<Facts>;
  } catch {
    return {};
  }
}
