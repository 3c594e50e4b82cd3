import { storeIfSpace, type KeyValue, type SharedStorage } from "../../connection/storage.ts";
import { isUnsavedDraft, stripDraft } from "../drafts/device-drafts.ts";
import { PERSON_KEY } from "./signed-in-person.ts";
import type { OutboxEntry } from "../../connection/outbox.ts";

/** Settings of this device that reveal nothing about a person. */
const SETTINGS = new Set([
  "snug.clock",
  "snug.formats",
  "snug.language",
  "snug.letter-keys",
  "snug.members",
  "snug.replies-in-full",
  "snug.sidebar",
  "snug.team",
  "snug.theme",
]);
const OUTBOX = "snug.outbox.";
/** The keys under which version 0.1.0 stored a draft's text and its state on the service. */
const FORMER_DRAFT = "snug.draft.";
const FORMER_FACTS = "snug.draft-copy.";

/** The numbers of unsent messages and drafts that exist only in this browser. */
type LeftBehind = { messages: number; drafts: number };

/**
 * Removes stored data of people, except for what only this browser has: unsent messages, without
 * the text of others that they quote, and the text of drafts that the service does not have.
 * @param isGone whether to remove the data of a person; null for data without an owner
 */
export function forgetPeople(
  storage: SharedStorage,
  isGone: (userId: string | null) => boolean,
): void {
  const keys = storage.keys().filter((key) => isPersonal(key) && isGone(ownerOf(key)));
  // Before anything is removed, because a draft of an earlier version has two keys.
  const keptKeys = new Set(keys.filter((key) => isOnlyHere(storage, key)));
  for (const key of keys) {
    if (!keptKeys.has(key)) storage.removeItem(key);
    else if (key.startsWith(OUTBOX)) hideQuote(storage, key);
    else if (!key.startsWith(FORMER_DRAFT)) stripDraft(storage, key);
  }
}

/** Counts a person's messages and drafts that only this browser has; without an id, everyone's. */
export function countLeftBehind(storage: SharedStorage, userId?: string): LeftBehind {
  const keys = storage.keys().filter((key) => isOnlyHere(storage, key, userId));
  const messages = keys.filter((key) => key.startsWith(OUTBOX)).length;
  return { messages, drafts: keys.length - messages };
}

/** Removes a person's messages and drafts that only this browser has; without an id, everyone's. */
export function deleteLeftBehind(storage: SharedStorage, userId?: string): void {
  const keys = storage.keys().filter((key) => isOnlyHere(storage, key, userId));
  for (const key of keys) storage.removeItem(key);
}

function isPersonal(key: string): boolean {
  return key.startsWith("snug.") && key !== PERSON_KEY && !SETTINGS.has(key);
}

function ownerOf(key: string): string | null {
  return /^snug\.[a-z-]+\.([0-9a-f-]{36})(?:\.|$)/.exec(key)?.[1] ?? null;
}

function isOnlyHere(storage: KeyValue, key: string, userId = ownerOf(key)): boolean {
  if (ownerOf(key) !== userId) return false;
  if (key.startsWith(FORMER_DRAFT)) {
    const facts = read<Facts>(storage, FORMER_FACTS + key.slice(FORMER_DRAFT.length));
    return storage.getItem(key) !== facts?.base?.content;
  }
  return key.startsWith(OUTBOX) || isUnsavedDraft(storage, key);
}

type Facts = { base?: { content?: string } };

function hideQuote(storage: KeyValue, key: string): void {
  const entry = read<OutboxEntry>(storage, key);
  if (!entry?.quote) return;
  const quote = { id: entry.quote.id, is_gone: true };
  storeIfSpace(storage, key, JSON.stringify({ ...entry, quote }));
}

function read<T>(storage: KeyValue, key: string): T | null {
  try {
    return JSON.parse(storage.getItem(key) ?? "null");
  } catch {
    return null;
  }
}
