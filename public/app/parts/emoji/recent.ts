import { signal } from "@preact/signals";

const KEY = "snug.emoji";
const TONE_KEY = "snug.emoji-tone";
const MOST = 6;
const FIRST = ["👍", "❤️", "😂", "🎉", "👀", "🙏"];

function read(): string[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(KEY) ?? "[]");
    return Array.isArray(kept) ? kept.filter((one) => typeof one === "string") : [];
  } catch {
    return [];
  }
}

/** The six that were used last, filled up with those that people use most. */
export const recentEmoji = signal<string[]>([...new Set([...read(), ...FIRST])].slice(0, MOST));

export function noteEmoji(emoji: string): void {
  recentEmoji.value = [...new Set([emoji, ...recentEmoji.value])].slice(0, MOST);
  localStorage.setItem(KEY, JSON.stringify(recentEmoji.value));
}

/** The skin tone that was chosen: 0 for none, 1 to 5 from light to dark. */
export const skinTone = signal(Number(localStorage.getItem(TONE_KEY) ?? 0) || 0);

export function chooseTone(tone: number): void {
  skinTone.value = tone;
  localStorage.setItem(TONE_KEY, String(tone));
}
