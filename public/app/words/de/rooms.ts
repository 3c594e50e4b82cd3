import { compileMessages } from "../compile.ts" with { type: "macro" };
import type { rooms as english } from "../en/rooms.ts";

export const rooms = compileMessages<Record<keyof typeof english, string>>({
  "skip.messages": "Zu den Nachrichten",
  "skip.writing": "Zum Schreiben",
  "skip.content": "Zum Inhalt",

  "shell.rooms": "Räume",
  "shell.close-rooms": "Raumliste schließen",
  "shell.width": "Breite der Raumliste",
  "shell.go-to": "Gehe zu (Strg K)",
  "shell.browse": "Räume entdecken",
  "shell.administration": "Administration",
  "shell.profile": "Dein Profil,",
  "shell.offline": "Erscheint offline",
  "shell.unread": "ungelesen",
  "shell.to-rooms": "Zu deinen Räumen",
  "shell.not-found": "Seite nicht gefunden",
  "shell.not-found-text": "Prüfe die Adresse auf Tippfehler.",
  "shell.no-rooms": "Noch keine Räume",
  "shell.no-rooms-text":
    "Erstelle den ersten oder entdecke die offenen Räume. Beides geht in der Seitenleiste.",
  "shell.not-in": "Du bist nicht in #{room}",
  "shell.removed":
    "Du wurdest entfernt, oder der Raum wurde gelöscht. Ein Mitglied kann dich wieder hinzufügen.",
  "shell.unknown":
    "Es gibt ihn nicht, oder du bist ihm nicht beigetreten. Ist er offen, findest du ihn unter Räume entdecken.",
  "shell.reconnecting":
    "Verbindung wird wiederhergestellt. Was du sendest, geht hinaus, sobald du wieder online bist.",
  "shell.try-now": "Jetzt versuchen",
  "shell.update": "Eine neue Version von Snug ist da. Deine Entwürfe bleiben erhalten.",
  "shell.update-now": "Jetzt aktualisieren",

  "create.title": "Raum erstellen",

  "members.title": "Mitglieder",
  "members.count": "Mitglieder ({count})",
  "members.add": "Mitglied hinzufügen",
  "members.close": "Mitgliederliste schließen",
  "members.bot": "Bot",
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

  "room.settings": "Raumeinstellungen",
  "room.archived": "Dieser Raum ist archiviert und kann nur gelesen werden.",

  "notify.title": "Benachrichtigungen für diesen Raum",
  "notify.all": "Alle Nachrichten",
  "notify.mentions": "Nur Erwähnungen",
  "notify.none": "Nichts",
  "notify.all-done": "Du wirst über alle Nachrichten in #{room} benachrichtigt",
  "notify.mentions-done": "Du wirst benachrichtigt, wenn dich jemand in #{room} erwähnt",
  "notify.none-done": "Du wirst über #{room} nicht benachrichtigt",
});
