import { compileMessages } from "../compile.ts" with { type: "macro" };

/** Creating a room, its settings, and adding members. */
export const room = compileMessages({
  "bar.label": "Main",
  "room-list.filter": "Filter rooms",
  "room-list.view": "Order of rooms",

  "notify.title": "Notifications for this room",
  "notify.all": "All messages",
  "notify.mentions": "Mentions only",
  "notify.none": "Mute",
  "bar.home": "Home",
  "bar.you": "You",
  "sidebar.more-mentions": "{count, plural, one {# mention} other {# mentions}}",
  "sidebar.more-unread": "{count, number} unread",
});
