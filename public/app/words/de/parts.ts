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
  "secret.not-copied": "Du hast es noch nicht kopiert, und es wird nicht noch einmal angezeigt.",
  "secret.close-anyway": "Trotzdem schließen",
  "image.download": "Herunterladen",
  "image.from": "Bild von {name}",
  "image.larger": "Größer",
  "image.next": "Nächstes Bild",
  "image.previous": "Voriges Bild",
  "image.smaller": "Kleiner",

  "files.attachments": "Anhänge",
  "files.saving": "Wird gespeichert …",
  "files.uploading": "{name} wird hochgeladen",
  "files.retry": "{name} erneut versuchen",
  "files.remove": "{name} entfernen",
  "files.cancel": "{name} abbrechen",
  "files.over-limit": "{size} ist zu groß. Erlaubt sind {cap}.",
  "files.empty": "Leere Dateien und Ordner können nicht gesendet werden.",

  "message.actions": "Aktionen zur Nachricht",
  "message.copy": "Text kopieren",
  "message.copied": "Text kopiert",
  "message.copy-link": "Link zur Nachricht kopieren",
  "message.link-copied": "Link kopiert",
  "message.no-copy": "Kopieren ist hier nicht erlaubt",
  "message.delete": "Nachricht löschen",
  "message.deleted": "Nachricht gelöscht",
  "react.with": "Mit {emoji} reagieren",

  "replaced.title": "Ein anderes Konto ist angemeldet",
  "replaced.text":
    "In diesem Browser hat sich jemand mit einem anderen Konto angemeldet, deshalb ist dieser Tab angehalten. Nachrichten und Entwürfe von hier bleiben für das Konto erhalten, das sie geschrieben hat.",
  "replaced.go": "Mit diesem Konto fortfahren",
});
