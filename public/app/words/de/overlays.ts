import { compileMessages } from "../compile.ts" with { type: "macro" };
import type { overlays as english } from "../en/overlays.ts";

export const overlays = compileMessages<Record<keyof typeof english, string>>({
  "switcher.title": "Gehe zu",
  "switcher.what": "Raum, Person oder Aktion",
  "switcher.results": "Ergebnisse",
  "switcher.none": "Nichts gefunden. Versuche weniger Buchstaben.",
  "switcher.read-all": "Alle Räume als gelesen markieren",
  "switcher.all-read": "Alle Räume als gelesen markiert",
  "switcher.profile": "Dein Profil",
  "switcher.appearance": "Aussehen",
  "switcher.notifications": "Benachrichtigungen",
  "switcher.password": "Passwort ändern",
  "switcher.sessions": "Wo du angemeldet bist",

  "announce.message": "{name}: {text}",
  "announce.image": "{name} hat ein Bild geschickt",
  "announce.file": "{name} hat eine Datei geschickt",
  "announce.some": "{count, plural, one {# neue Nachricht} other {# neue Nachrichten}} von {names}",
  "announce.many": "{count, plural, one {# neue Nachricht} other {# neue Nachrichten}}",

  "shortcuts.title": "Tastenkürzel",
  "shortcuts.anywhere": "Überall",
  "shortcuts.go": "Zu einem Raum, einer Person oder einer Aktion gehen",
  "shortcuts.list": "Tastenkürzel zeigen",
  "shortcuts.close": "Schließen",
  "shortcuts.writing": "Schreiben",
  "shortcuts.send": "Senden",
  "shortcuts.new-line": "Neue Zeile",
  "shortcuts.edit-last": "Deine letzte Nachricht bearbeiten (wenn nichts geschrieben ist)",
  "shortcuts.mark-read": "Den Raum als gelesen markieren",
  "shortcuts.mention": "Jemanden erwähnen",
  "shortcuts.room": "Auf einen Raum verweisen",
  "shortcuts.emoji": "Emoji nach Namen",
  "key.ctrl": "Strg",
  "key.alt": "Alt",
  "key.shift": "Umschalt",
  "key.enter": "Eingabe",
  "key.esc": "Esc",

  "jump.day": "Tag",
  "jump.today": "Heute",
  "jump.week": "Vor einer Woche",
  "jump.month": "Vor einem Monat",
  "jump.beginning": "Zum Anfang",
  "jump.go": "Springen",

  "person.bot": "Bot",
  "person.deactivated": "deaktiviert",
  "person.online": "Online",
  "person.offline": "Offline",
  "person.mention": "Erwähnung",
  "person.in": "In",

  "broadcast.title": "{count, plural, one {# Person} other {# Personen}} benachrichtigen?",
  "broadcast.room":
    "@room erreicht alle in #{room}: {count, plural, one {# Person wird} other {# Personen werden}} benachrichtigt.",
  "broadcast.here":
    "@here erreicht alle in #{room}, die online sind: {count, plural, one {# Person wird} other {# Personen werden}} benachrichtigt.",
  "broadcast.back": "Weiter schreiben",
  "broadcast.send": "Senden",
});
