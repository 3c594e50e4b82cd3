import { compileMessages } from "../compile.ts" with { type: "macro" };
import type { rooms as english } from "../en/rooms.ts";

export const rooms = compileMessages<Record<keyof typeof english, string>>({
  "skip.messages": "Zu den Nachrichten",
  "skip.writing": "Zum Schreiben",
  "skip.content": "Zum Inhalt",

  "shell.rooms": "Räume",
  "shell.close-rooms": "Liste der Räume schließen",
  "shell.width": "Breite der Raumliste",
  "shell.go-to": "Gehe zu (Strg K)",
  "shell.browse": "Räume entdecken",
  "shell.administration": "Administration",
  "shell.profile": "Dein Profil,",
  "shell.offline": "Erscheint offline",
  "shell.unread": "ungelesen",
  "shell.to-rooms": "Zu deinen Räumen",
  "shell.nothing": "Hier ist nichts",
  "shell.nothing-text": "Vielleicht ist die Adresse falsch geschrieben.",
  "shell.no-rooms": "Noch keine Räume",
  "shell.no-rooms-text":
    "Erstelle den ersten oder sieh nach, welche Räume dir offenstehen. Beides findest du in der Liste an der Seite.",
  "shell.not-in": "Du bist nicht in #{room}",
  "shell.taken":
    "Du wurdest entfernt, oder der Raum wurde gelöscht. Wer darin ist, kann dich wieder aufnehmen.",
  "shell.unknown":
    "Es gibt ihn nicht, oder du bist ihm nicht beigetreten. Ist er offen, findest du ihn unter Räume entdecken.",
  "shell.reconnecting":
    "Verbindung wird wiederhergestellt. Was du sendest, wartet und geht von selbst hinaus.",
  "shell.try-now": "Jetzt versuchen",
  "shell.update":
    "Eine neue Version von Snug ist bereit. Was du geschrieben hast, bleibt erhalten.",
  "shell.use-update": "Jetzt benutzen",

  "create.title": "Raum erstellen",

  "members.title": "Mitglieder",
  "members.count": "Mitglieder ({count})",
  "members.add": "Mitglied hinzufügen",
  "members.close": "Mitglieder schließen",
  "members.bot": "Bot",
  "members.role": "{role, select, owner {Besitz} admin {Admin} other {Mitglied}}",
  "members.actions": "Aktionen für {name}",
  "members.make-admin": "Zum Admin machen",
  "members.is-admin": "{name} ist jetzt Admin.",
  "members.make-member": "Zum Mitglied machen",
  "members.is-member": "{name} ist jetzt Mitglied.",
  "members.transfer": "Raum übergeben",
  "members.transfer-title": "{name} den Raum übergeben?",
  "members.transfer-text":
    "Du wirst Admin des Raums. Zurückgeben kann ihn nur, wem er dann gehört.",
  "members.remove": "Aus dem Raum entfernen",
  "members.is-removed": "{name} ist entfernt.",
  "members.is-back": "{name} ist wieder da.",

  "room.settings": "Raumeinstellungen",
  "room.archived": "Dieser Raum ist archiviert. Du kannst ihn lesen, aber nichts ändern.",

  "notify.title": "Benachrichtigungen dieses Raums",
  "notify.all": "Jede Nachricht",
  "notify.mentions": "Erwähnungen von mir",
  "notify.none": "Nichts",
  "notify.all-done": "Du wirst über jede Nachricht in #{room} benachrichtigt.",
  "notify.mentions-done": "Du wirst benachrichtigt, wenn dich jemand in #{room} erwähnt.",
  "notify.none-done": "Du wirst in #{room} nicht benachrichtigt.",
});
