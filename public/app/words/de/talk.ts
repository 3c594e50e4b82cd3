import { compiled } from "../compile.ts" with { type: "macro" };
import type { talk as english } from "../en/talk.ts";

export const talk = compiled<Record<keyof typeof english, string>>({
  "talk.missing": "Diese Nachricht ist weg oder war nie hier.",
  "talk.loading": "Nachrichten werden geladen",
  "talk.someone": "Jemand",
  "talk.several-type": "Mehrere Personen schreiben …",
  "talk.type": "{count, plural, one {{names} schreibt …} other {{names} schreiben …}}",

  "message.edited": "(bearbeitet)",
  "message.not-sent": "nicht gesendet",
  "message.sending": "wird gesendet …",
  "message.your-image": "dein Bild",
  "message.discard": "Verwerfen",
  "message.copy-code": "Code kopieren",

  react: "Reagieren",
  "react.who": "{emoji}, {count}: {names}",
  "react.you": "du",
  "react.more": "{count} weitere",

  "composer.suggestions": "Vorschläge",

  "files.attach": "Dateien anhängen",
  "files.drop": "Loslassen, um an {room} anzuhängen",
  "files.attachments": "Anhänge",
  "files.storing": "Wird gespeichert …",
  "files.uploading": "{name} wird hochgeladen",
  "files.again": "{name} erneut versuchen",
  "files.remove": "{name} entfernen",
  "files.cancel": "{name} abbrechen",
  "files.over-cap": "Sie hat {size}. Höchstens {cap} können gesendet werden.",
  "files.empty": "Sie ist leer oder ein Ordner.",

  "image.open": "{name} öffnen",
  "image.failed": "Das Bild wurde nicht geladen. Erneut versuchen",
  "image.from": "Bild von {name}",
  "image.smaller": "Kleiner",
  "image.larger": "Größer",
  "image.download": "Herunterladen",
  "image.previous": "Voriges Bild",
  "image.next": "Nächstes Bild",
});
