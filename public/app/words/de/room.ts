import { compileMessages } from "../compile.ts" with { type: "macro" };
import type { room as english } from "../en/room.ts";

/** Creating a room, its settings, and adding members. */
export const room = compileMessages<Record<keyof typeof english, string>>({
  "bar.label": "Hauptbereiche",
  "room-list.filter": "Räume filtern",
  "room-list.view": "Reihenfolge der Räume",

  "notify.title": "Benachrichtigungen für diesen Raum",
  "notify.all": "Alle Nachrichten",
  "notify.mentions": "Nur Erwähnungen",
  "notify.none": "Stummschalten",
  "bar.home": "Start",
  "bar.you": "Du",
  "sidebar.more-mentions": "{count, plural, one {# Erwähnung} other {# Erwähnungen}}",
  "sidebar.more-unread": "{count, number} ungelesen",
});
