import { compileMessages } from "../compile.ts" with { type: "macro" };
import type { room as english } from "../en/room.ts";

/** Creating a room, its settings, and adding members. */
export const room = compileMessages<Record<keyof typeof english, string>>({
  "create.submit": "Raum erstellen",
  "create.name-hint": "Kleinbuchstaben, Ziffern, Striche.",
  "create.topic": "Thema",
  "create.topic-hint": "Steht unter dem Namen. Optional.",
  "create.who": "Wer beitreten kann",
  "create.open": "Alle können ihn finden",
  "create.private": "Nur Eingeladene finden ihn",

  "members.add-to": "Zu #{room} hinzufügen",
  "members.add-action": "Hinzufügen",
  "members.is-member-already": "Mitglied",
  "members.is-added": "{name} wurde zu #{room} hinzugefügt",

  "room.no-description": "Noch kein Thema.",
  "room.owned-by": "Dieser Raum gehört {name}.",
  "room.owner-stays": "Um zu gehen, übertrage den Raum in der Mitgliederliste an jemand anderen.",
  "room.saved": "Raum gespeichert",
  "room.leave": "Raum verlassen",
  "room.leave-title": "#{room} verlassen?",
  "room.leave-open": "Du kannst jederzeit wieder beitreten.",
  "room.leave-private": "Du kannst nur zurück, wenn dich ein Mitglied hinzufügt.",
  "room.delete": "Raum löschen",
  "room.delete-title": "#{room} löschen?",
  "room.delete-text":
    "Alle Nachrichten und Dateien darin werden für alle gelöscht. Das lässt sich nicht rückgängig machen.",

  "members.title": "Mitglieder",
  "members.add": "Mitglied hinzufügen",
  "members.role": "{role, select, owner {Besitz} admin {Admin} other {Mitglied}}",
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

  "room-menu.mark-read": "Als gelesen markieren",
  "room-menu.pin": "Zu Favoriten hinzufügen",
  "room-menu.unpin": "Aus Favoriten entfernen",
  "room-menu.mute": "Stummschalten",
  "room-menu.unmute": "Stummschaltung aufheben",
  "room-menu.muted": "#{room} ist stummgeschaltet",
  "room-menu.unmuted": "#{room} ist nicht mehr stummgeschaltet",
  "room-menu.undone": "Rückgängig gemacht",
  "room-menu.up": "Nach oben",
  "room-menu.down": "Nach unten",

  "bar.label": "Hauptbereiche",
  "room-list.filter": "Räume filtern",
  "room-list.no-match": "Keiner deiner Räume passt.",
  "room-list.view": "Reihenfolge der Räume",
  "room-list.sort-name": "Nach Namen",
  "room-list.sort-unread": "Ungelesene zuerst",
  "room-list.sort-custom": "Eigene Reihenfolge",
  "room-list.read-all": "Alle als gelesen markieren",
  "room-list.all-read": "Alle Räume sind gelesen",
  "room-list.moved": "#{room} steht jetzt an Stelle {place, number} von {count, number}",
});
