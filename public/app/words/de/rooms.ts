import { compileMessages } from "../compile.ts" with { type: "macro" };
import type { rooms as english } from "../en/rooms.ts";

export const rooms = compileMessages<Record<keyof typeof english, string>>({
  "shell.rooms": "Räume",
  "shell.close-rooms": "Raumliste schließen",
  "shell.back": "Zurück",
  "shell.go-to": "Gehe zu (Strg K)",
  "shell.activity": "Aktivität",
  "shell.threads": "Threads",
  "shell.later": "Später",
  "shell.drafts": "Entwürfe",
  "shell.due": "{count, number} fällig",
  "shell.not-sent": "{count, number} nicht gesendet",
  "shell.unread-threads":
    "{count, plural, one {# ungelesener Thread} other {# ungelesene Threads}}",
  "sidebar.more-threads": "{count, plural, one {# weiterer Thread} other {# weitere Threads}}",
  "shell.browse": "Räume entdecken",
  "shell.you": "Du,",
  "shell.paused": "Pausiert bis {when}",
  "shell.offline": "Erscheint offline",
  "shell.unread": "ungelesen",
  "shell.to-rooms": "Zu deinen Räumen",
  "shell.reconnecting":
    "Verbindung wird wiederhergestellt. Was du schreibst, wird gesendet, sobald du wieder online bist.",
  "shell.no-network":
    "Du bist offline. Was du schreibst, wird gesendet, sobald du wieder online bist.",
  "shell.try-now": "Jetzt versuchen",
  "shell.update": "Eine neue Version von Snug ist da. Deine Entwürfe bleiben erhalten.",
  "shell.update-now": "Jetzt aktualisieren",

  "create.title": "Raum erstellen",

  "members.count": "Mitglieder ({count})",
  "panel.label": "Details",
  "panel.about": "Info",
  "panel.members": "Mitglieder",
  "panel.pins": "Angeheftet",
  "panel.files": "Dateien",
  "panel.settings": "Optionen",
  "panel.close": "Details schließen",
  "members.bot": "Bot",

  "room.settings": "Raumeinstellungen",
  "room.search": "Hier suchen",
  "room.archived": "Dieser Raum ist archiviert und kann nur gelesen werden.",

  "shell.mentions": "{count, plural, one {# Erwähnung} other {# Erwähnungen}}",

  "sidebar.favourites": "Favoriten",
  "sidebar.rooms": "Räume",
  "sidebar.archived": "Archiviert",
  "sidebar.empty-section": "Ziehe Räume hierher oder nutze ihr Menü.",
  "sidebar.draft": "Entwurf",
  "mute.muted": "Stummgeschaltet",
  "mute.until": "Stumm bis {when}",
  "sidebar.actions": "Optionen für #{room}",
  "bar.search": "Suche",
});
