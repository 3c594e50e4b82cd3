import { compileMessages } from "../compile.ts" with { type: "macro" };
import type { themes as english } from "../en/themes.ts";

export const themes = compileMessages<Record<keyof typeof english, string>>({
  "theme.choose": "Farbschema",
  "theme.system": "System",
  "theme.system-hint": "Hell oder dunkel, wie dein Gerät",
  "theme.light": "Hell",
  "theme.dark": "Dunkel",
  "theme.midnight": "Mitternacht",
  "theme.sunset": "Abendrot",
  "theme.mine": "Mein Schema",
  "theme.new": "Neues Schema",
  "theme.edit": "Schema bearbeiten",
  "theme.change": "{name} ändern",
  "theme.duplicate": "Duplizieren",
  "theme.save": "Schema speichern",
  "theme.saved": "Schema {name} gespeichert",
  "theme.delete-title": "{name} löschen?",
  "theme.delete-text":
    "Das lässt sich nicht rückgängig machen. Wenn du das Schema benutzt, gilt wieder ein eingebautes.",
  "theme.delete": "Schema löschen",
  "theme.dark-controls": "Dunkle Bedienelemente",
  "theme.dark-controls-hint":
    "Für Menüs, Bildlaufleisten und andere Teile, die der Browser zeichnet.",
  "theme.unreadable": "Schwer zu lesen. Text braucht mindestens einen Kontrast von {needed} zu 1.",
  "theme.contrast": "{text} auf {ground}: {ratio} zu 1",

  "color.background": "Hintergrund",
  "color.surface": "Flächen",
  "color.sidebar": "Seitenleiste",
  "color.border": "Ränder",
  "color.text": "Text",
  "color.text_muted": "Gedämpfter Text",
  "color.accent": "Akzent",
  "color.accent_strong": "Links",
  "color.accent_soft": "Sanfter Akzent",
  "color.highlight": "Hervorhebung",
  "color.danger": "Gefahr",
  "color.on_accent": "Text auf Akzent",

  "sample.room": "treff",
  "sample.other-room": "design",
  "sample.message": "Eine Nachricht mit einem <link>Link</link>",
  "sample.mention": "<you>@du</you> wirst erwähnt",
  "sample.button": "Knopf",
});
