import { compileMessages } from "../compile.ts" with { type: "macro" };
import type { room as english } from "../en/room.ts";

/** Creating a room, its settings, and adding members. */
export const room = compileMessages<Record<keyof typeof english, string>>({
  "room.no-description": "Noch kein Thema.",

  "members.title": "Mitglieder",
  "members.add": "Mitglied hinzufügen",
  "members.role": "{role, select, owner {Besitzer} admin {Admin} other {Mitglied}}",
  "person.open": "Profil zeigen",
  "person.copy-mention": "@Erwähnung kopieren",
  "members.actions": "Aktionen für {name}",
  "members.make-admin": "Zum Admin machen",
  "members.is-admin": "{name} ist jetzt Admin",
  "members.make-member": "Zum Mitglied machen",
  "members.is-member": "{name} ist jetzt Mitglied",
  "members.transfer": "Besitz übertragen",
  "members.transfer-title": "{name} den Raum übertragen?",
  "members.transfer-text":
    "Du wirst Admin des Raums. Rückgängig machen kann das nur, wem er dann gehört.",
  "members.remove": "Aus dem Raum entfernen",
  "members.is-removed": "{name} wurde entfernt",
  "members.is-back": "{name} ist wieder dabei",

  "bar.label": "Hauptbereiche",
  "room-list.filter": "Räume filtern",
  "room-list.no-match": "Keiner deiner Räume passt.",
  "room-list.view": "Reihenfolge der Räume",

  "shell.width": "Breite der Raumliste",
  "notify.title": "Benachrichtigungen für diesen Raum",
  "notify.all": "Alle Nachrichten",
  "notify.mentions": "Nur Erwähnungen",
  "notify.none": "Nichts",
  "notify.all-done": "Du wirst über alle Nachrichten in #{room} benachrichtigt",
  "notify.mentions-done": "Du wirst benachrichtigt, wenn dich jemand in #{room} erwähnt",
  "notify.none-done": "Du wirst über #{room} nicht benachrichtigt",
  "bar.you": "Du",

  "members.filter": "Mitglieder filtern",
  "members.online": "Online",
  "members.offline": "Offline",
  "members.not-loaded": "Die Mitglieder wurden noch nicht geladen. Snug versucht es weiter.",
  "members.no-match": "Niemand hier passt.",
  "create.submit": "Raum erstellen",
  "create.name-hint": "Kleinbuchstaben, Ziffern, Striche.",
  "room-menu.muted": "#{room} ist stummgeschaltet",
  "room-menu.unmuted": "#{room} ist nicht mehr stummgeschaltet",
  "room-menu.undone": "Rückgängig gemacht",
});
