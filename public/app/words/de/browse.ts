import { compileMessages } from "../compile.ts" with { type: "macro" };
import type { browse as english } from "../en/browse.ts";

export const browse = compileMessages<Record<keyof typeof english, string>>({
  "browse.text": "Räume, denen alle beitreten können",
  "browse.none-found": "Kein Raum gefunden",
  "browse.none": "Noch keine offenen Räume",
  "browse.other-word": "Versuche ein anderes Wort.",
  "browse.create": "Erstelle den ersten, dann finden ihn andere hier.",
  "browse.sort": "Sortieren nach",
  "browse.by-name": "Name",
  "browse.by-members": "Meiste Mitglieder",
  "browse.by-activity": "Neueste Nachricht",
  "browse.about": "{count, plural, one {# Mitglied} other {# Mitglieder}}",
  "browse.others": "Andere Räume",
  "browse.all-joined": "Du bist in jedem offenen Raum.",
  "browse.mine": "Deine Räume",
  "browse.join": "Beitreten <hidden>{room}</hidden>",
  "share.title": "Teilen",
  "share.to-room": "In einen Raum teilen",
  "share.no-room": "Du bist noch in keinem Raum",
  "share.no-room-text": "Tritt zuerst einem Raum bei und teile dann noch einmal.",
  "share.nothing": "Nichts zu teilen",
  "share.nothing-text":
    "Teile Text oder Dateien aus einer anderen App mit Snug und wähle hier den Raum.",
  "share.too-large": "Das ist zu viel auf einmal. Möglich sind 10 Dateien und zusammen 100 MB.",
  "share.failed":
    "Dieser Browser konnte das Geteilte nicht speichern. Schaffe etwas Platz und teile dann noch einmal.",
  "share.files": "{count, plural, one {# Datei} other {# Dateien}}",

  "shell.not-found": "Seite nicht gefunden",
  "shell.not-found-text": "Prüfe die Adresse auf Tippfehler.",
  "shell.no-rooms": "Noch keine Räume",
  "shell.no-rooms-text": "Erstelle den ersten Raum und lade dein Team ein.",
  "shell.not-in": "Du bist nicht in #{room}",
  "shell.removed":
    "Du wurdest entfernt, oder der Raum wurde gelöscht. Ein Mitglied kann dich wieder hinzufügen.",
  "shell.unknown":
    "Es gibt ihn nicht, oder du bist ihm nicht beigetreten. Ist er offen, findest du ihn unter Räume entdecken.",
  "shell.may-join": "diesem Raum kann jeder beitreten",
  "shell.join": "#{room} beitreten",
  "shell.welcome": "Willkommen bei {team}",
  "shell.welcome-text":
    "Du bist noch in keinem Raum. Sieh dir die offenen Räume an, oder warte, bis dich jemand hinzufügt.",
  "shell.invite": "Personen einladen",
});
