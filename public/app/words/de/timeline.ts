import { compileMessages } from "../compile.ts" with { type: "macro" };
import type { timeline as english } from "../en/timeline.ts";

export const timeline = compileMessages<Record<keyof typeof english, string>>({
  "timeline.missing": "Diese Nachricht wurde gelöscht, oder es gibt sie nicht.",
  "timeline.messages": "Nachrichten in {room}",
  "timeline.loading": "Nachrichten werden geladen",
  "timeline.new": "Neu",
  "timeline.joined":
    "{count, plural, one {{names} ist jetzt dabei} other {{names} sind jetzt dabei}}",
  "timeline.others": "{count, number} weitere",
  "jump.title": "Zu einem Tag springen",
  "timeline.start": "Hier beginnt der Raum.",
  "timeline.beginning": "Hier beginnt der Raum. Schreib die erste Nachricht.",
  "timeline.earlier": "Frühere Nachrichten zeigen",
  "timeline.not-loaded": "Die Nachrichten wurden nicht geladen",

  "room.private": "Privater Raum",
  "message.edited": "(bearbeitet)",
  "message.show-more": "Mehr anzeigen",
  "message.show-code": "Alle {count, number} Zeilen zeigen",
  "message.show-less": "Weniger anzeigen",
  "message.image": "Bild von {name}",
  "message.your-image": "dein Bild",
  "message.copy-code": "Code kopieren",

  react: "Reagieren",
  "react.who": "{emoji}, {count}: {names}",
  "react.you": "du",
  "react.more": "{count} weitere",

  "task.open": "offen",
  "task.done": "erledigt",

  "composer.message": "Nachricht an {room}",
  "composer.send": "Senden",
  "composer.emoji": "Emoji einfügen",
  "composer.full":
    "Zu viele Nachrichten warten auf das Senden. Dein Text bleibt erhalten. Sende ihn, wenn einige verschickt sind.",
  "composer.too-long": "{count, number} Zeichen zu lang. Kürze den Text oder teile ihn auf.",
  "format.title": "Formatierung",

  "files.attach": "Dateien anhängen",

  "image.more": "{count} weitere",
  "image.open": "{name} öffnen",
  "image.failed": "Das Bild wurde nicht geladen. Erneut versuchen",
  "direct.notes-start": "Hier beginnen deine Notizen. Nur du siehst sie.",
  "direct.write-note": "Eine Notiz schreiben",
  "direct.start": "Hier beginnt deine Unterhaltung mit {names}.",

  "thread.fold": "{count, plural, one {# Antwort} other {# Antworten}} in <i>{title}</i>",
  "thread.fold-label":
    "{count, plural, one {# Antwort} other {# Antworten}} in {title}, zuletzt von {name}",
  "thread.of": "einer Nachricht von {name}",
  "thread.write": "Im Thread antworten",
  "quote.gone": "eine gelöschte Nachricht",
  "quote.of": "Zur zitierten Nachricht von {name}",
  "quote.image": "ein Bild",
  "quote.file": "eine Datei",
  "message.was-deleted": "Diese Nachricht wurde gelöscht.",
});
