import { signal } from "@preact/signals";
import { storeIfSpace, localStore } from "../../connection/storage.ts";

const KEY = "snug.emoji";
const TONE_KEY = "snug.emoji-tone";
const MAX_RECENT = 16;

function read(): string[] {
  try {
    const list: unknown = JSON.parse(localStore.getItem(KEY) ?? "[]");
    return Array.isArray(list) ? list.filter((item) => typeof item === "string") : [];
  } catch {
    return [];
  }
}

/** The most recently used emoji of this browser, the newest first. */
export const recentEmoji = signal<string[]>(read().slice(0, MAX_RECENT));

/** Moves an emoji to the front of the most recently used emoji. */
export function addRecentEmoji(emoji: string): void {
  recentEmoji.value = [...new Set([emoji, ...recentEmoji.value])].slice(0, MAX_RECENT);
  storeIfSpace(localStore, KEY, JSON.stringify(recentEmoji.value));
}

/** The chosen skin tone: 0 for none, 1 to 5 from light to dark. */
export const skinTone = signal(Number(localStore.getItem(TONE_KEY) ?? 0) || 0);

/** Sets the skin tone of this browser. @param tone 0 for none, 1 to 5 from light to dark */
export function chooseTone(tone: number): void {
  skinTone.value = tone;
  storeIfSpace(localStore, TONE_KEY, String(tone));
}
