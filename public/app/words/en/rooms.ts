import { compileMessages } from "../compile.ts" with { type: "macro" };

/** The shell: room list, banners, and members. */
export const rooms = compileMessages({
  "shell.rooms": "Rooms",
  "shell.close-rooms": "Close room list",
  "shell.go-to": "Go to (Ctrl K)",
  "shell.activity": "Activity",
  "shell.threads": "Threads",
  "shell.later": "Later",
  "shell.drafts": "Drafts",
  "shell.due": "{count, number} due",
  "shell.not-sent": "{count, number} not sent",
  "shell.unread-threads": "{count, plural, one {# unread thread} other {# unread threads}}",
  "shell.browse": "Browse rooms",
  "shell.administration": "Administration",
  "shell.profile": "Your profile,",
  "shell.paused": "Paused until {when}",
  "shell.offline": "Appearing offline",
  "shell.unread": "unread",
  "shell.to-rooms": "Go to your rooms",
  "shell.reconnecting": "Reconnecting. What you send goes out once you're back online.",
  "shell.no-network": "You are offline. What you send goes out once you're back.",
  "shell.try-now": "Try now",
  "shell.update": "A new version of Snug is available. Your drafts are kept.",
  "shell.update-now": "Update now",

  "create.title": "Create a room",

  "members.count": "Members ({count})",
  "members.close": "Close member list",
  "members.bot": "bot",

  "room.settings": "Room settings",
  "room.archived": "This room is archived and read-only.",

  "shell.mentions": "{count, plural, one {# mention} other {# mentions}}",

  "sidebar.favourites": "Favourites",
  "sidebar.rooms": "Rooms",
  "sidebar.archived": "Archived",
  "sidebar.empty-section": "Drag rooms here, or use their menus.",
  "sidebar.draft": "Draft",
  "sidebar.more-mentions": "{count, plural, one {# mention} other {# mentions}}",
  "sidebar.more-unread": "{count, number} unread",
  "sidebar.muted": "Muted",
  "sidebar.actions": "Options for #{room}",
  "bar.search": "Search",
});
