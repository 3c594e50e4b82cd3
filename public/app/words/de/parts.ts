import { compileMessages } from "../compile.ts" with { type: "macro" };
import type { parts as english } from "../en/parts.ts";

export const parts = compileMessages<Record<keyof typeof english, string>>({
  "display-name": "Anzeigename",
  "search-by-name": "Nach Namen suchen",
  "show-more": "Mehr anzeigen",
  "sign-out": "Abmelden",
  copy: "Kopieren",
  "label.name": "Name",
  "choose.none": "Niemand gefunden",
  "confirm.type": "Gib zur Bestätigung {word} ein",
  "image.download": "Herunterladen",
  "image.from": "Bild von {name}",
  "image.larger": "Größer",
  "image.next": "Nächstes Bild",
  "image.previous": "Voriges Bild",
  "image.smaller": "Kleiner",
});
