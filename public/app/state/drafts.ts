import type { KeyValue } from "../connection/outbox.ts";

/** What was written and not sent, for each person and room: kept over reloads. */
const keyOf = (userId: string, roomId: string) => `snug.draft.${userId}.${roomId}`;

export function readDraft(storage: KeyValue, userId: string, roomId: string): string {
  return storage.getItem(keyOf(userId, roomId)) ?? "";
}

export function keepDraft(storage: KeyValue, userId: string, roomId: string, text: string): void {
  if (text) storage.setItem(keyOf(userId, roomId), text);
  else storage.removeItem(keyOf(userId, roomId));
}

/** Puts text behind what was written already. */
export function addToDraft(storage: KeyValue, userId: string, roomId: string, text: string): void {
  const before = readDraft(storage, userId, roomId);
  keepDraft(storage, userId, roomId, [before, text].filter(Boolean).join("\n"));
}
