import { compileMessages } from "../compile.ts" with { type: "macro" };

/** Finding a room: for oneself, or for what was shared. */
export const browse = compileMessages({
  "browse.text": "Open rooms that anyone here can join",
  "browse.none-found": "No room of this name",
  "browse.none": "No open rooms yet",
  "browse.other-word": "Try another word.",
  "browse.create": "Create one from the list of rooms: the plus beside Rooms.",
  "browse.about": "{count, plural, one {# member} other {# members}}",
  "browse.open": "Open <hidden>{room}</hidden>",
  "browse.join": "Join <hidden>{room}</hidden>",
  "share.title": "Share",
  "share.to-room": "Share to a room",
  "share.no-room": "You are in no room yet",
  "share.no-room-text": "Join a room first, then share again.",
  "share.nothing": "Nothing is shared",
  "share.nothing-text": "Share text or files to Snug from another app, and choose the room here.",
  "share.discard": "Discard",
  "share.too-large": "That's too much at once: up to 10 files, 100 MB in all.",
  "share.files": "{count, plural, one {# file} other {# files}}",
});
