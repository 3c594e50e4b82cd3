import type { OutboxEntry } from "../../connection/outbox-entries.ts";
import { keepIfSpace, type KeyValue, type SharedStorage } from "../../connection/storage.ts";
import { isUnsavedDraft, stripDraft } from "../drafts/device-drafts.ts";
import { PERSON_KEY } from "./signed-in-person.ts";

/** How this device is set up, which tells nothing of a person. */
const SETTINGS = new Set([
  "snug.formats",
  "snug.language",
  "snug.replies-in-full",
  "snug.sidebar",
  "snug.team",
  "snug.theme",
]);
const OUTBOX = "snug.outbox.";
/** Where version 0.1.0 stored the text of a draft, and what it knew of it on the service. */
const FORMER_DRAFT = "snug.draft.";
const FORMER_FACTS = "snug.draft-copy.";

/** How much of what people have written is in this browser alone. */
export type LeftBehind = { messages: number; drafts: number };

/**
 * Removes what this browser has stored of people, but for what only it has: messages that were not sent, without
 * the text of others that they quote, and the text of drafts that the service does not have.
 * @param isGone whether to remove what belongs to this person; null is what any person may have left
 */
export function forgetPeople(
  storage: SharedStorage,
  isGone: (userId: string | null) => boolean,
): void {
  const keys = storage.keys().filter((key) => isPersonal(key) && isGone(ownerOf(key)));
  // Before the first is removed: a draft of an earlier version has two keys.
  const keptKeys = new Set(keys.filter((key) => isOnlyHere(storage, key)));
  for (const key of keys) {
    if (!keptKeys.has(key)) storage.removeItem(key);
    else if (key.startsWith(OUTBOX)) hideQuote(storage, key);
    else if (!key.startsWith(FORMER_DRAFT)) stripDraft(storage, key);
  }
}

/** Counts what only this browser has of a person; of everyone, if there is no id. */
export function countLeftBehind(storage: SharedStorage, userId?: string): LeftBehind {
  const keys = storage.keys().filter((key) => isOnlyHere(storage, key, userId));
  const messages = keys.filter((key) => key.startsWith(OUTBOX)).length;
  return { messages, drafts: keys.length - messages };
}

/** Removes what only this browser has of a person; of everyone, if there is no id. */
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
  keepIfSpace(storage, key, JSON.stringify({ ...entry, quote }));
}

function read<T>(storage: KeyValue, key: string): T | null {
  try {
    return JSON.parse(storage.getItem(key) ?? "null");
  } catch {
    return null;
  }
}
