import { compileMessages } from "../compile.ts" with { type: "macro" };

/** The switcher, announcements, keyboard shortcuts, the jump to a day and person cards. */
export const overlays = compileMessages({
  "switcher.title": "Go to",
  "switcher.what": "Room, person or action",
  "switcher.results": "Results",
  "switcher.none": "No matches. Try fewer letters.",
  "switcher.read-all": "Mark all rooms as read",
  "switcher.all-read": "All rooms marked as read",
  "switcher.profile": "Your profile",
  "switcher.appearance": "Appearance",
  "switcher.notifications": "Notifications",
  "switcher.password": "Change password",
  "switcher.sessions": "Where you are signed in",

  "announce.message": "{name}: {text}",
  "announce.image": "{name} sent an image",
  "announce.file": "{name} sent a file",
  "announce.some": "{count, plural, one {# new message} other {# new messages}} from {names}",
  "announce.many": "{count, plural, one {# new message} other {# new messages}}",

  "shortcuts.title": "Keyboard shortcuts",
  "shortcuts.anywhere": "Anywhere",
  "shortcuts.go": "Go to a room, person or action",
  "shortcuts.list": "Show shortcuts",
  "shortcuts.close": "Close",
  "shortcuts.writing": "Writing",
  "shortcuts.send": "Send",
  "shortcuts.new-line": "New line",
  "shortcuts.edit-last": "Edit your last message (if nothing is written)",
  "shortcuts.mark-read": "Mark the room as read",
  "shortcuts.mention": "Mention someone",
  "shortcuts.room": "Link to a room",
  "shortcuts.emoji": "Emoji by name",
  "key.ctrl": "Ctrl",
  "key.alt": "Alt",
  "key.shift": "Shift",
  "key.enter": "Enter",
  "key.esc": "Esc",

  "jump.day": "Day",
  "jump.today": "Today",
  "jump.week": "A week ago",
  "jump.month": "A month ago",
  "jump.beginning": "Beginning",
  "jump.go": "Jump",

  "person.bot": "bot",
  "person.deactivated": "deactivated",
  "person.online": "Online",
  "person.offline": "Offline",
  "person.mention": "Mention",
  "person.in": "In",

  "broadcast.title": "Notify {count, plural, one {# person} other {# people}}?",
  "broadcast.room":
    "@room reaches everyone in #{room}: {count, plural, one {# person} other {# people}} will be notified.",
  "broadcast.here":
    "@here reaches everyone in #{room} who is online: {count, plural, one {# person} other {# people}} will be notified.",
  "broadcast.back": "Keep writing",
  "broadcast.send": "Send",
});
