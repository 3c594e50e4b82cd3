import { compileMessages } from "../compile.ts" with { type: "macro" };

/** Browsing rooms, and sharing from other apps. */
export const browse = compileMessages({
  "browse.text": "Rooms that anyone can join",
  "browse.none-found": "No rooms match",
  "browse.none": "No open rooms yet",
  "browse.other-word": "Try another word.",
  "browse.create": "Create the first one, and others find it here.",
  "browse.sort": "Sort by",
  "browse.by-name": "Name",
  "browse.by-members": "Most members",
  "browse.by-activity": "Newest message",
  "browse.about": "{count, plural, one {# member} other {# members}}",
  "browse.others": "Other rooms",
  "browse.all-joined": "You are in every open room.",
  "browse.mine": "Your rooms",
  "browse.join": "Join <hidden>{room}</hidden>",
  "share.title": "Share",
  "share.to-room": "Share to a room",
  "share.no-room": "You aren't in any room yet",
  "share.no-room-text": "Join a room first, then share again.",
  "share.nothing": "Nothing to share",
  "share.nothing-text": "Share text or files to Snug from another app, then choose the room here.",
  "share.too-large": "That's too much at once. The limit is 10 files and 100 MB in total.",
  "share.failed": "This browser couldn't store what you shared. Free some space, then share again.",
  "share.files": "{count, plural, one {# file} other {# files}}",

  "shell.not-found": "Page not found",
  "shell.not-found-text": "Check the address for typos.",
  "shell.no-rooms": "No rooms yet",
  "shell.no-rooms-text": "Create the first room, and invite your team.",
  "shell.not-in": "You are not in #{room}",
  "shell.removed": "You were removed from it or it was deleted. A member can add you again.",
  "shell.unknown":
    "It doesn't exist or you haven't joined it. If it is open, you find it under Browse rooms.",
  "shell.may-join": "anyone can join this room",
  "shell.join": "Join #{room}",
  "shell.welcome": "Welcome to {team}",
  "shell.welcome-text":
    "You are in no room yet. Browse the open rooms, or wait until someone adds you to one.",
  "shell.invite": "Invite people",
});
