import { compileMessages } from "../compile.ts" with { type: "macro" };

/** The house: the list of rooms, what a room is, and who is in it. */
export const rooms = compileMessages({
  "skip.messages": "Skip to the messages",
  "skip.writing": "Skip to writing",
  "skip.content": "Skip to the content",

  "shell.rooms": "Rooms",
  "shell.close-rooms": "Close the list of rooms",
  "shell.width": "Width of the list of rooms",
  "shell.go-to": "Go to (Ctrl K)",
  "shell.browse": "Browse rooms",
  "shell.administration": "Administration",
  "shell.profile": "Your profile,",
  "shell.offline": "Appearing offline",
  "shell.unread": "unread",
  "shell.to-rooms": "Go to your rooms",
  "shell.nothing": "Nothing is here",
  "shell.nothing-text": "The address may be mistyped.",
  "shell.no-rooms": "No rooms yet",
  "shell.no-rooms-text":
    "Make the first one, or look which rooms are open to you. The list on the side has both.",
  "shell.not-in": "You are not in #{room}",
  "shell.taken": "You were removed from it, or it was deleted. Someone in it can add you again.",
  "shell.unknown":
    "It does not exist, or you have not joined it. If it is an open room, you find it under browse.",
  "shell.reconnecting": "Reconnecting. What you send waits and goes out by itself.",
  "shell.try-now": "Try now",
  "shell.update": "A new version of Snug is ready. What you wrote is kept.",
  "shell.use-update": "Use it now",

  "create.title": "Create a room",

  "members.title": "Members",
  "members.count": "Members ({count})",
  "members.add": "Add a member",
  "members.close": "Close members",
  "members.bot": "bot",
  "members.role": "{role, select, owner {owner} admin {admin} other {member}}",
  "members.actions": "Actions for {name}",
  "members.make-admin": "Make admin",
  "members.is-admin": "{name} is an admin now.",
  "members.make-member": "Make member",
  "members.is-member": "{name} is a member now.",
  "members.transfer": "Transfer room",
  "members.transfer-title": "Make {name} the owner?",
  "members.transfer-text": "You become an admin of the room. Only the new owner can give it back.",
  "members.remove": "Remove from room",
  "members.is-removed": "{name} is removed.",
  "members.is-back": "{name} is back.",

  "room.settings": "Room settings",
  "room.archived": "This room is archived. You can read it, but nothing can be changed.",

  "notify.title": "Notifications of this room",
  "notify.all": "Every message",
  "notify.mentions": "Mentions of me",
  "notify.none": "Nothing",
  "notify.all-done": "You are notified of every message in #{room}.",
  "notify.mentions-done": "You are notified where someone mentions you in #{room}.",
  "notify.none-done": "You are not notified in #{room}.",
});
