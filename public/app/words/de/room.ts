import { compileMessages } from "../compile.ts" with { type: "macro" };
import type { room as english } from "../en/room.ts";

/** To make a room, to change it, and to add somebody. */
export const room = compileMessages<Record<keyof typeof english, string>>({
  "create.submit": "Raum erstellen",
  "create.name-hint": "Kleinbuchstaben, Ziffern, Striche.",
  "create.about": "Worum es geht",
  "create.about-hint": "Steht unter dem Namen. Du kannst es weglassen.",
  "create.who": "Wer beitreten kann",
  "create.open": "Alle hier: Man kann ihn finden",
  "create.private": "Nur wer aufgenommen wird: Er ist verborgen",

  "members.add-to": "Zu #{room} hinzufügen",
  "members.add-action": "Hinzufügen",
  "members.is-inside": "Mitglied",
  "members.is-added": "{name} ist jetzt in #{room}.",

  "room.no-description": "Keine Beschreibung.",
  "room.owned-by": "Dieser Raum gehört {name}.",
  "room.owner-stays":
    "Um zu gehen, übergib den Raum in der Liste der Mitglieder an jemand anderen.",
  "room.saved": "Der Raum ist gespeichert.",
  "room.leave": "Raum verlassen",
  "room.leave-title": "#{room} verlassen?",
  "room.leave-open": "Du kannst jederzeit wieder beitreten.",
  "room.leave-private": "Jemand darin muss dich dann wieder aufnehmen.",
  "room.delete": "Raum löschen",
  "room.delete-title": "#{room} löschen?",
  "room.delete-text":
    "Alles darin wird gelöscht, für alle. Das lässt sich nicht rückgängig machen.",
});
