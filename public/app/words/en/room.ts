import { compileMessages } from "../compile.ts" with { type: "macro" };

/** To make a room, to change it, and to add somebody. */
export const room = compileMessages({
  "create.submit": "Create room",
  "create.name-hint": "Lower-case letters, digits, dashes.",
  "create.about": "What it is about",
  "create.about-hint": "Shown under the name. You can leave it out.",
  "create.who": "Who can join",
  "create.open": "Anyone here: it can be found",
  "create.private": "Only who is added: it is hidden",

  "members.add-to": "Add to #{room}",
  "members.add-action": "Add",
  "members.is-inside": "member",
  "members.is-added": "{name} is in #{room} now.",

  "room.no-description": "No description.",
  "room.owned-by": "{name} owns this room.",
  "room.owner-stays": "To leave, make someone else the owner in the list of members.",
  "room.saved": "The room is saved.",
  "room.leave": "Leave room",
  "room.leave-title": "Leave #{room}?",
  "room.leave-open": "You can join it again whenever you like.",
  "room.leave-private": "Someone in it has to add you again.",
  "room.delete": "Delete room",
  "room.delete-title": "Delete #{room}?",
  "room.delete-text": "Everything in it goes, for everyone. This cannot be undone.",
});
