import { compileMessages } from "../compile.ts" with { type: "macro" };

/** The profile, except for its themes. */
export const account = compileMessages({
  "account.name-saved": "Name saved",
  "account.name-hint": "Shown instead of your username. Leave it empty to show the username.",
  "account.save-name": "Save name",
  "account.offline": "Appear offline",
  "account.sign-out-everywhere": "Sign out everywhere",
  "account.offline-hint": "Nobody can see when you're online.",
  "account.sign-out-text":
    "Your messages, drafts and searches are removed from this browser. What hasn't been sent yet you can keep or delete.",
  "sign-out.left-title": "Keep what wasn't sent?",
  "sign-out.left":
    "{count, plural, one {One message or draft of yours was not sent, and is only in this browser.} other {# messages and drafts of yours were not sent, and are only in this browser.}}",
  "sign-out.left-text":
    "If nobody else uses this device, keep it: it is here when you sign in again. On a shared computer delete it, because others could read it.",
  "sign-out.keep": "Keep and sign out",
  "sign-out.delete": "Delete and sign out",

  "threads.in-full": "Show replies in full in rooms, on this device",
  "threads.in-full-hint": "When off, consecutive replies collapse into one line.",
  "keys.letters": "Keys without Ctrl or Cmd, on this device",
  "keys.letters-hint":
    "“?” lists the shortcuts, and letters go to the message box wherever the focus is.",

  "picture.title": "Profile picture",
  "picture.choose": "Choose picture",
  "picture.change": "Change picture",
  "picture.remove": "Remove",
  "picture.removed": "Picture removed",
  "picture.file": "Picture file",
  "picture.saved": "Picture saved",

  "email-setting.added": "When someone adds me to a room",
  "email-setting.to": "Sent to {email}.",

  "email-setting.missed": "When I missed a mention",
  "email-setting.missed-hint":
    "If you weren't here for 15 minutes. One email lists several mentions, at most one an hour.",
  "quiet.title": "Quiet hours",
  "quiet.on": "Stay quiet at set times",
  "quiet.hint":
    "No notifications and no emails about mentions, on any device. Unread rooms are still marked.",
  "quiet.from": "{day}, from",
  "quiet.to": "{day}, until",
  "quiet.next-day": "next day",
  "quiet.none": "No quiet hours",
  "quiet.zone": "Times are in {zone}.",
  "quiet.use-zone": "Use {zone}",
  "keywords.title": "Keywords",
  "keywords.label": "Notify me of these words",
  "keywords.hint":
    "Like a mention, wherever they are written in your rooms. Separate them with commas: up to {count}, of at least {length} characters.",
  "keywords.saved": "Keywords saved",
  "room-notify.title": "Rooms",
  "room-notify.none-found": "No rooms match",
  "room-notify.of": "Notifications for #{room}",
  "sound.title": "Sound",
  "sound.label": "While Snug is open, play",
  "sound.hint": "Plays when you are notified, not for the room that you have open.",
  "sound.none": "Nothing",
  "sound.drop": "Drop",
  "sound.chime": "Chime",
  "sound.knock": "Knock",
  "sound.play": "Play it",
  "push.title": "This device",
  "push.notify": "Notify me about messages",
  "push.notify-hint":
    "Only for rooms you don't have open. Each room has its own setting at the top.",
  "push.on": "Notifications turned on for this browser",
  "push.no-answer":
    "The browser's push service didn't respond. Check your connection and try again.",
  "push.test": "Send test",
  "push.test-sent": "Test sent to your browsers",
  "push.test-refused": "No push service accepted it. Try again in a minute.",
  "push.unsupported": "This browser can't show notifications while the page is closed.",
  "push.install":
    "To get notifications on this device, install Snug: share this page, choose Add to Home Screen, then open Snug from there.",
  "push.denied":
    "Notifications are blocked by the browser. Allow them in its settings for this site, then come back.",

  "preview.title": "What notifications show",
  "preview.hint": "For all devices. They appear on the lock screen too.",
  "preview.full": "Everything",
  "preview.sender": "Who wrote, without the text",
  "preview.none": "Neither the person nor the text",

  "pause.title": "Pause notifications",
  "pause.text": "No notifications on any device. Unread rooms are still marked.",
  "pause.until": "Paused on all devices until {when}.",
  "pause.resume": "Resume",

  "language.title": "Language",
  "language.browser": "Same as the browser: {language}",
  "language.hint": "For this browser. Messages are not translated.",
});
