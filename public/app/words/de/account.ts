import { compileMessages } from "../compile.ts" with { type: "macro" };
import type { account as english } from "../en/account.ts";

export const account = compileMessages<Record<keyof typeof english, string>>({
  "profile.title": "Dein Profil",
  "profile.account": "Konto",
  "profile.appearance": "Aussehen",
  "profile.notifications": "Benachrichtigungen",
  "profile.password": "Passwort",
  "profile.sessions": "Sitzungen",

  "account.name-saved": "Dein Name ist gespeichert.",
  "account.name-hint": "Steht anstelle deines Benutzernamens. Lass es leer, um diesen zu zeigen.",
  "account.save-name": "Namen speichern",
  "account.offline": "Als offline erscheinen",
  "account.offline-hint": "Niemand sieht, wann du hier bist.",
  "account.sign-out-text":
    "Nachrichten, die noch nicht gesendet sind, bleiben für dich in diesem Browser.",

  "picture.title": "Dein Bild",
  "picture.choose": "Bild wählen",
  "picture.change": "Bild ändern",
  "picture.remove": "Entfernen",
  "picture.removed": "Dein Bild ist entfernt.",
  "picture.file": "Bilddatei",
  "picture.unreadable": "Dieses Bild kann dein Browser nicht lesen. Wähle ein anderes.",
  "picture.move": "Dein Bild: zieh es oder bewege es mit den Pfeiltasten",
  "picture.zoom": "Zoom",
  "picture.save": "Bild speichern",
  "picture.saved": "Dein Bild ist gespeichert.",

  "password.current": "Aktuelles Passwort",
  "password.new": "Neues Passwort",
  "password.hint": "Mindestens {count} Zeichen. Andere Sitzungen werden abgemeldet.",
  "password.change": "Passwort ändern",
  "password.changed": "Dein Passwort ist geändert. Deine anderen Sitzungen sind abgemeldet.",

  "sessions.title": "Wo du angemeldet bist",
  "sessions.this": "Dieser Browser",
  "sessions.seen": "Zuletzt gesehen: {when}",
  "sessions.ended": "Dort abgemeldet.",
  "sessions.unknown": "Ein unbekannter Browser",
  "sessions.browser": "{browser} unter {system}",

  "mails.title": "E-Mail",
  "mails.added": "Wenn mich jemand in einen Raum holt",
  "mails.to": "An {email}.",

  "push.title": "Auf diesem Gerät",
  "push.notify": "Über Nachrichten benachrichtigen",
  "push.notify-hint":
    "Wenn der Raum nirgends geöffnet ist. Jeder Raum hat oben seine eigene Einstellung.",
  "push.on": "Dieser Browser erfährt von Nachrichten.",
  "push.no-answer":
    "Der Push-Dienst dieses Browsers hat nicht geantwortet. Prüfe deine Verbindung und versuche es noch einmal.",
  "push.test": "Test senden",
  "push.test-sent": "Der Test ist unterwegs zu deinen Browsern.",
  "push.test-refused":
    "Kein Push-Dienst hat ihn angenommen. Versuche es in einer Minute noch einmal.",
  "push.unsupported":
    "Dieser Browser kann keine Benachrichtigungen einer geschlossenen Seite zeigen.",
  "push.install":
    "Auf diesem Gerät gehen Benachrichtigungen, sobald Snug installiert ist: Teile diese Seite, wähle „Zum Home-Bildschirm“ und öffne Snug von dort.",
  "push.denied":
    "Du hast Benachrichtigungen für diese Seite verboten. Erlaube sie in den Einstellungen des Browsers und komm dann zurück.",

  "pause.title": "Pause",
  "pause.text":
    "Eine Weile keine Benachrichtigungen, auf keinem Gerät. Ungelesenes wird weiter markiert.",
  "pause.until": "Keine Benachrichtigungen auf allen Geräten bis {when}.",
  "pause.resume": "Fortsetzen",
  "pause.hour": "Eine Stunde lang",
  "pause.tomorrow": "Bis morgen",

  "language.title": "Sprache",
  "language.browser": "Wie der Browser: {language}",
  "language.hint": "In diesem Browser. Was andere schreiben, bleibt, wie es ist.",
});
