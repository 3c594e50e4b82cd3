import { compileMessages } from "../compile.ts" with { type: "macro" };
import type { roomDialogs as english } from "../en/room-dialogs.ts";

export const roomDialogs = compileMessages<Record<keyof typeof english, string>>({
  "create.topic": "Thema",
  "create.topic-hint": "Steht unter dem Namen. Optional.",
  "create.who": "Wer beitreten kann",
  "create.open": "Alle können ihn finden und beitreten",
  "create.private": "Nur Eingeladene finden ihn",
  "members.add-to": "Zu #{room} hinzufügen",
  "members.add-action": "Hinzufügen",
  "members.invite": "Jemanden ohne Konto einladen",
  "members.is-member-already": "Mitglied",
  "members.is-bot": "Bot",
  "members.add-to-former":
    "Wer dazukommt, sieht auch, was hier gesagt wurde, als dies eine Unterhaltung war. Deshalb lassen sich keine Bots hinzufügen.",
  "members.is-added": "{name} wurde zu #{room} hinzugefügt",
  "room.no-description": "Noch kein Thema.",
  "room.owner": "Eigentümer",
  "room.created": "Erstellt",
  "room.edit-topic": "Thema bearbeiten",
  "direct.with": "Mit",
  "room.notify-me": "Benachrichtigen bei",
  "files.none": "Noch keine Dateien",
  "files.none-text": "Hier stehen Bilder und Dateien, die geteilt wurden.",
  "room.owner-stays": "Um zu gehen, übertrage den Raum in der Mitgliederliste an jemand anderen.",
  "room.was-conversation":
    "Dieser Raum war eine Unterhaltung und bleibt deshalb privat. Eine Nachricht aus dieser Zeit kann nur löschen, wer sie geschrieben hat.",
  "room.no-delete-text": "Dieser Raum war eine Unterhaltung und lässt sich deshalb nicht löschen.",
  "room.saved": "Raum gespeichert",
  "room.leave": "Raum verlassen",
  "room.leave-title": "#{room} verlassen?",
  "room.leave-open": "Du kannst jederzeit wieder beitreten.",
  "room.leave-private": "Du kannst nur zurück, wenn dich ein Mitglied hinzufügt.",
  "room.delete": "Raum löschen",
  "room.delete-title": "#{room} löschen?",
  "room.delete-text":
    "Alle Nachrichten und Dateien darin werden für alle gelöscht. Das lässt sich nicht rückgängig machen.",
});
