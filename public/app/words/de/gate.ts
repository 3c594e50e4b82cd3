import { compileMessages } from "../compile.ts" with { type: "macro" };
import type { gate as english } from "../en/gate.ts";

export const gate = compileMessages<Record<keyof typeof english, string>>({
  "gate.dead-link": "Dieser Link funktioniert nicht",
  "gate.to-signin": "Zur Anmeldung",
  "gate.back": "Zurück zur Anmeldung",
  "gate.at-least": "Mindestens {count} Zeichen.",

  "signup.welcome": "Willkommen in deinem Snug",
  "signup.title": "Konto erstellen",
  "signup.first": "Du bist zuerst hier: Mit diesem Konto wird alles verwaltet.",
  "signup.invited": "Eingeladen als {email}.",
  "signup.username-hint": "Buchstaben, Ziffern, Punkte, Striche. So erwähnen dich andere.",
  "signup.display-name-hint": "Der Name, den andere sehen. Du kannst ihn weglassen.",
  "signup.submit": "Konto erstellen",

  "forgot.title": "Passwort vergessen?",
  "forgot.text": "Wir schicken dir einen Link, mit dem du ein neues wählst.",
  "forgot.submit": "Link senden",
  "forgot.no-mail": "Von hier gehen keine Mails hinaus",
  "forgot.no-mail-text":
    "Dieses Snug ist nicht für Mails eingerichtet. Bitte die Administration um ein neues Passwort.",
  "forgot.sent": "Schau in deine Mails",
  "forgot.sent-text":
    "Wenn es hier ein Konto zu {email} gibt, ist ein Link unterwegs. Er gilt 15 Minuten.",
  "forgot.nothing":
    "Nichts da? Schau im Spam nach, prüfe die Adresse oder frage die Administration.",
  "forgot.other-address": "Andere Adresse versuchen",

  "reset.title": "Neues Passwort wählen",
  "reset.whose": "Für @{username}.",
  "reset.password": "Neues Passwort",
  "reset.password-hint": "Mindestens {count} Zeichen. Du wirst überall abgemeldet.",
  "reset.submit": "Passwort ändern",
  "reset.done": "Dein Passwort ist geändert",
  "reset.done-text": "Du wurdest überall abgemeldet. Melde dich mit dem neuen an.",
  "reset.new-link": "Neuen Link anfordern",
});
