import { compileMessages } from "../compile.ts" with { type: "macro" };
import type { emoji as english } from "../en/emoji.ts";

export const emoji = compileMessages<Record<keyof typeof english, string>>({
  "emoji.choose": "Emoji wählen",
  "emoji.search": "Emoji suchen",
  "emoji.search-short": "Suchen",
  "emoji.tone": "Hautton",
  "emoji.tone-is":
    "Hautton: {tone, select, t0 {keiner} t1 {hell} t2 {mittelhell} t3 {mittel} t4 {mitteldunkel} other {dunkel}}",
  "emoji.groups": "Gruppen von Emojis",
  "emoji.none": "Kein Emoji passt zu „{query}“",
  "emoji.recent": "Zuletzt benutzt",
  "emoji.smileys": "Smileys und Gefühle",
  "emoji.people": "Personen und Körper",
  "emoji.animals": "Tiere und Natur",
  "emoji.food": "Essen und Trinken",
  "emoji.travel": "Reisen und Orte",
  "emoji.activities": "Aktivitäten",
  "emoji.objects": "Gegenstände",
  "emoji.symbols": "Symbole",
  "emoji.flags": "Flaggen",
});
