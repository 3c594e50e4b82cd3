import { compileMessages } from "../compile.ts" with { type: "macro" };

/** What stands in the dialog of one's own profile. */
export const account = compileMessages({
  "profile.title": "Your profile",
  "profile.account": "Account",
  "profile.appearance": "Appearance",
  "profile.notifications": "Notifications",
  "profile.password": "Password",
  "profile.sessions": "Sessions",

  "account.name-saved": "Your name is saved.",
  "account.name-hint": "Shown instead of your username. Leave it empty to show that.",
  "account.save-name": "Save name",
  "account.offline": "Appear offline",
  "account.offline-hint": "Nobody sees when you are here.",
  "account.sign-out-text": "Messages that still wait to be sent stay in this browser for you.",

  "picture.title": "Your picture",
  "picture.choose": "Choose a picture",
  "picture.change": "Change picture",
  "picture.remove": "Remove",
  "picture.removed": "Your picture is removed.",
  "picture.file": "Picture file",
  "picture.unreadable": "This is no picture that your browser can read. Choose another.",
  "picture.move": "Your picture: drag it or use the arrows to move it",
  "picture.zoom": "Zoom",
  "picture.save": "Save picture",
  "picture.saved": "Your picture is saved.",

  "password.current": "Current password",
  "password.new": "New password",
  "password.hint": "At least {count} characters. Other sessions are signed out.",
  "password.change": "Change password",
  "password.changed": "Your password is changed. Your other sessions are signed out.",

  "sessions.title": "Where you are signed in",
  "sessions.this": "This browser",
  "sessions.seen": "Last seen {when}",
  "sessions.ended": "Signed out there.",
  "sessions.unknown": "An unknown browser",
  "sessions.browser": "{browser} on {system}",

  "mails.title": "Email",
  "mails.added": "When someone adds me to a room",
  "mails.to": "To {email}.",

  "push.title": "On this device",
  "push.notify": "Notify me of messages",
  "push.notify-hint":
    "When the room is not open anywhere. Each room has its own setting in its head.",
  "push.on": "This browser is told of messages.",
  "push.no-answer":
    "This browser's push service did not answer. Check your connection, then try again.",
  "push.test": "Send a test",
  "push.test-sent": "The test is on its way to your browsers.",
  "push.test-refused": "No push service took it. Try again in a minute.",
  "push.unsupported": "This browser cannot show notifications of a page that is closed.",
  "push.install":
    "On this device notifications work once Snug is installed: share this page and choose Add to Home Screen, then open Snug from there.",
  "push.denied":
    "You have forbidden notifications for this page. Allow them in the browser's settings for this site, then come back.",

  "pause.title": "Pause",
  "pause.text": "No notifications on any device for a while. Unread marks go on.",
  "pause.until": "No notifications on any device until {when}.",
  "pause.resume": "Resume",
  "pause.hour": "For an hour",
  "pause.tomorrow": "Until tomorrow",

  "language.title": "Language",
  "language.browser": "As the browser: {language}",
  "language.hint": "In this browser. What people write stays as they wrote it.",
});
