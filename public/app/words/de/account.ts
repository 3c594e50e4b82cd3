import { compileMessages } from "../compile.ts" with { type: "macro" };
import type { account as english } from "../en/account.ts";

export const account = compileMessages<Record<keyof typeof english, string>>({
  "account.name-saved": "Name gespeichert",
  "account.name-hint":
    "Wird statt deines Benutzernamens gezeigt. Lass es leer, um den Benutzernamen zu zeigen.",
  "account.save-name": "Namen speichern",
  "account.offline": "Als offline erscheinen",
  "account.sign-out-everywhere": "Überall abmelden",
  "account.offline-hint": "Niemand sieht, wann du online bist.",
  "account.sign-out-text":
    "Deine Nachrichten, Entwürfe und Suchen werden aus diesem Browser entfernt. Was noch nicht gesendet ist, kannst du behalten oder löschen.",
  "sign-out.left-title": "Nicht Gesendetes behalten?",
  "sign-out.left":
    "{count, plural, one {Eine Nachricht oder ein Entwurf von dir wurde nicht gesendet und ist nur in diesem Browser.} other {# Nachrichten und Entwürfe von dir wurden nicht gesendet und sind nur in diesem Browser.}}",
  "sign-out.left-text":
    "Wenn sonst niemand dieses Gerät benutzt, behalte es: Es ist da, wenn du dich wieder anmeldest. An einem gemeinsamen Computer lösche es, denn andere könnten es lesen.",
  "sign-out.keep": "Behalten und abmelden",
  "sign-out.delete": "Löschen und abmelden",

  "threads.in-full": "Antworten in Räumen ganz zeigen, auf diesem Gerät",
  "threads.in-full-hint":
    "Sonst werden aufeinanderfolgende Antworten zu einer Zeile zusammengefasst.",
  "keys.letters": "Tasten ohne Strg oder Cmd, auf diesem Gerät",
  "keys.letters-hint":
    "„?“ zeigt die Tastenkürzel, und Buchstaben gehen ins Nachrichtenfeld, wo auch immer der Fokus ist.",

  "picture.title": "Profilbild",
  "picture.choose": "Bild wählen",
  "picture.change": "Bild ändern",
  "picture.remove": "Entfernen",
  "picture.removed": "Bild entfernt",
  "picture.file": "Bilddatei",
  "picture.saved": "Bild gespeichert",

  "email-setting.added": "Wenn mich jemand in einen Raum holt",
  "email-setting.to": "Geht an {email}.",

  "email-setting.missed": "Wenn ich eine Erwähnung verpasst habe",
  "email-setting.missed-hint":
    "Wenn du 15 Minuten lang nicht hier warst. Eine E-Mail fasst mehrere zusammen, höchstens eine pro Stunde.",
  "quiet.title": "Ruhezeiten",
  "quiet.on": "Zu festen Zeiten Ruhe",
  "quiet.hint":
    "Keine Benachrichtigungen und keine E-Mails über Erwähnungen, auf keinem Gerät. Ungelesenes wird weiter markiert.",
  "quiet.from": "{day}, von",
  "quiet.to": "{day}, bis",
  "quiet.next-day": "am nächsten Tag",
  "quiet.none": "Keine Ruhezeit",
  "quiet.zone": "Die Zeiten gelten in {zone}.",
  "quiet.use-zone": "{zone} verwenden",
  "keywords.title": "Stichwörter",
  "keywords.label": "Bei diesen Wörtern benachrichtigen",
  "keywords.hint":
    "Wie eine Erwähnung, wo auch immer sie in deinen Räumen stehen. Mit Kommas getrennt: bis zu {count}, mit mindestens {length} Zeichen.",
  "keywords.saved": "Stichwörter gespeichert",
  "room-notify.title": "Räume",
  "room-notify.none-found": "Kein Raum passt",
  "room-notify.of": "Benachrichtigungen für #{room}",
  "sound.title": "Ton",
  "sound.label": "Solange Snug offen ist, spiele",
  "sound.hint": "Bei Benachrichtigungen, nicht für den Raum, den du gerade offen hast.",
  "sound.none": "Nichts",
  "sound.drop": "Tropfen",
  "sound.chime": "Glocke",
  "sound.knock": "Klopfen",
  "sound.play": "Anhören",
  "push.title": "Dieses Gerät",
  "push.notify": "Über Nachrichten benachrichtigen",
  "push.notify-hint":
    "Nur für Räume, die du nirgends geöffnet hast. Jeder Raum hat oben seine eigene Einstellung.",
  "push.on": "Benachrichtigungen in diesem Browser eingeschaltet",
  "push.no-answer":
    "Der Push-Dienst dieses Browsers hat nicht geantwortet. Prüfe deine Verbindung und versuche es noch einmal.",
  "push.test": "Test senden",
  "push.test-sent": "Test an deine Browser gesendet",
  "push.test-refused":
    "Kein Push-Dienst hat ihn angenommen. Versuche es in einer Minute noch einmal.",
  "push.unsupported":
    "Dieser Browser kann keine Benachrichtigungen zeigen, solange die Seite geschlossen ist.",
  "push.install":
    "Installiere Snug, um auf diesem Gerät benachrichtigt zu werden: Teile diese Seite, wähle „Zum Home-Bildschirm“ und öffne Snug von dort.",
  "push.denied":
    "Der Browser blockiert Benachrichtigungen. Erlaube sie in seinen Einstellungen für diese Seite und komm dann zurück.",

  "preview.title": "Was Benachrichtigungen zeigen",
  "preview.hint": "Auf allen Geräten. Sie erscheinen auch auf dem Sperrbildschirm.",
  "preview.full": "Alles",
  "preview.sender": "Wer schreibt, ohne den Text",
  "preview.none": "Weder die Person noch den Text",

  "pause.title": "Benachrichtigungen pausieren",
  "pause.text": "Keine Benachrichtigungen, auf keinem Gerät. Ungelesenes wird weiter markiert.",
  "pause.until": "Auf allen Geräten pausiert bis {when}.",
  "pause.resume": "Fortsetzen",

  "language.title": "Sprache",
  "language.browser": "Wie der Browser: {language}",
  "language.hint": "Für diesen Browser. Nachrichten werden nicht übersetzt.",
});
