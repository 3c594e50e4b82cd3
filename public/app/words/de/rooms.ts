import { compileMessages } from "../compile.ts" with { type: "macro" };
import type { rooms as english } from "../en/rooms.ts";

export const rooms = compileMessages<Record<keyof typeof english, string>>({
  "shell.rooms": "Räume",
  "shell.close-rooms": "Raumliste schließen",
  "shell.go-to": "Gehe zu (Strg K)",
  "shell.activity": "Aktivität",
  "shell.threads": "Threads",
  "shell.later": "Später",
  "shell.drafts": "Entwürfe",
  "shell.due": "{count, number} fällig",
  "shell.not-sent": "{count, number} nicht gesendet",
  "shell.unread-threads":
    "{count, plural, one {# ungelesener Thread} other {# ungelesene Threads}}",
  "shell.browse": "Räume entdecken",
  "shell.administration": "Administration",
  "shell.profile": "Dein Profil,",
  "shell.paused": "Pausiert bis {when}",
  "shell.offline": "Erscheint offline",
  "shell.unread": "ungelesen",
  "shell.to-rooms": "Zu deinen Räumen",
  "shell.reconnecting":
    "Verbindung wird wiederhergestellt. Was du sendest, geht hinaus, sobald du wieder online bist.",
  "shell.no-network": "Du bist offline. Was du sendest, geht raus, sobald du wieder da bist.",
  "shell.try-now": "Jetzt versuchen",
  "shell.update": "Eine neue Version von Snug ist da. Deine Entwürfe bleiben erhalten.",
  "shell.update-now": "Jetzt aktualisieren",

  "create.title": "Raum erstellen",

  "members.count": "Mitglieder ({count})",
  "members.close": "Mitgliederliste schließen",
  "members.bot": "Bot",

  "room.settings": "Raumeinstellungen",
  "room.archived": "Dieser Raum ist archiviert und kann nur gelesen werden.",

  "shell.mentions": "{count, plural, one {# Erwähnung} other {# Erwähnungen}}",

  "sidebar.favourites": "Favoriten",
  "sidebar.rooms": "Räume",
  "sidebar.archived": "Archiviert",
  "sidebar.empty-section": "Ziehe Räume hierher oder nutze ihr Menü.",
  "sidebar.draft": "Entwurf",
  "sidebar.more-mentions": "{count, plural, one {# Erwähnung} other {# Erwähnungen}}",
  "sidebar.more-unread": "{count, number} ungelesen",
  "sidebar.muted": "Stummgeschaltet",
  "sidebar.actions": "Optionen für #{room}",
  "bar.search": "Suche",
});
