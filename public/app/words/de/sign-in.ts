import { compileMessages } from "../compile.ts" with { type: "macro" };
import type { signIn as english } from "../en/sign-in.ts";

export const signIn = compileMessages<Record<keyof typeof english, string>>({
  "sign-in.dead-link": "Dieser Link funktioniert nicht",
  "sign-in.to-signin": "Zur Anmeldung",
  "sign-in.back": "Zurück zur Anmeldung",
  "sign-in.at-least": "Mindestens {count} Zeichen.",

  "sign-up.welcome": "Willkommen in deinem Snug",
  "sign-up.title": "Willkommen bei {team}",
  "sign-up.first": "Du bist zuerst hier, also verwaltet dieses Konto alles.",
  "sign-up.invited": "Eingeladen als {email}.",
  "sign-up.username-hint": "Buchstaben, Ziffern, Punkte, Striche. So erwähnen dich andere.",
  "sign-up.display-name-hint": "Der Name, den andere sehen. Optional.",
  "sign-up.submit": "Konto erstellen",

  "forgot.title": "Passwort vergessen?",
  "forgot.text": "Wir schicken dir einen Link, mit dem du ein neues wählst.",
  "forgot.submit": "Link senden",
  "forgot.no-mail": "Mails sind nicht eingerichtet",
  "forgot.no-mail-text":
    "Dieses Snug kann keine Mails senden. Bitte die Administration, dein Passwort zurückzusetzen.",
  "forgot.sent": "Schau in deine Mails",
  "forgot.sent-text":
    "Wenn es hier ein Konto zu {email} gibt, ist ein Link unterwegs. Er gilt 15 Minuten.",
  "forgot.nothing":
    "Nichts da? Schau im Spam nach, prüfe die Adresse oder frage die Administration.",
  "forgot.other-address": "Andere Adresse verwenden",

  "reset.title": "Neues Passwort wählen",
  "reset.whose": "Für @{username}.",
  "reset.password": "Neues Passwort",
  "reset.password-hint": "Mindestens {count} Zeichen. Du wirst überall abgemeldet.",
  "reset.submit": "Passwort ändern",
  "reset.done": "Passwort geändert",
  "reset.done-text": "Du wurdest überall abgemeldet. Melde dich mit dem neuen Passwort an.",
  "reset.new-link": "Neuen Link anfordern",
  "sign-up.shared":
    "Du bist eingeladen. Deine E-Mail-Adresse wird gebraucht, um später ein neues Passwort zu wählen.",
  "sign-up.by-provider": "Du bist eingeladen. Dein Konto entsteht, wenn du dich anmeldest.",
  "sign-up.welcome-toast": "Willkommen bei {team}",
  "sign-in.username": "Benutzername oder E-Mail",
  "sign-in.forgot": "Passwort vergessen?",
  "sign-in.no-account":
    "Noch kein Konto? Bitte die Administration um einen Link zur Registrierung.",
  "sign-in.empty":
    "Noch ist niemand hier. Hast du Snug gerade installiert? Der Link für das erste Konto steht im Start-Log.",
});
