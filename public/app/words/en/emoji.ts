import { compileMessages } from "../compile.ts" with { type: "macro" };

/** The emoji picker. */
export const emoji = compileMessages({
  "emoji.choose": "Choose an emoji",
  "emoji.search": "Search emoji",
  "emoji.search-short": "Search",
  "emoji.tone": "Skin tone",
  "emoji.tone-is":
    "Skin tone: {tone, select, t0 {no tone} t1 {light} t2 {medium-light} t3 {medium} t4 {medium-dark} other {dark}}",
  "emoji.groups": "Groups of emoji",
  "emoji.none": "No emoji match “{query}”",
  "emoji.recent": "Recently used",
  "emoji.smileys": "Smileys & Emotion",
  "emoji.people": "People & Body",
  "emoji.animals": "Animals & Nature",
  "emoji.food": "Food & Drink",
  "emoji.travel": "Travel & Places",
  "emoji.activities": "Activities",
  "emoji.objects": "Objects",
  "emoji.symbols": "Symbols",
  "emoji.flags": "Flags",
});
