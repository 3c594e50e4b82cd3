import { compileMessages } from "../compile.ts" with { type: "macro" };

/** Creating a room, its settings, and adding members. */
export const room = compileMessages({
  "room.no-description": "No topic yet.",

  "members.title": "Members",
  "members.add": "Add a member",
  "members.role": "{role, select, owner {owner} admin {admin} other {member}}",
  "person.open": "Show profile",
  "person.copy-mention": "Copy @mention",
  "members.actions": "Actions for {name}",
  "members.make-admin": "Make admin",
  "members.is-admin": "{name} is now an admin",
  "members.make-member": "Make member",
  "members.is-member": "{name} is now a member",
  "members.transfer": "Transfer ownership",
  "members.transfer-title": "Make {name} the owner?",
  "members.transfer-text": "You become an admin of the room. Only the new owner can undo this.",
  "members.remove": "Remove from room",
  "members.is-removed": "{name} was removed",
  "members.is-back": "{name} was added back",

  "bar.label": "Main",
  "room-list.filter": "Filter rooms",
  "room-list.no-match": "None of your rooms match.",
  "room-list.view": "Order of rooms",

  "shell.width": "Width of the room list",
  "notify.title": "Notifications for this room",
  "notify.all": "All messages",
  "notify.mentions": "Mentions only",
  "notify.none": "Nothing",
  "notify.all-done": "You'll be notified about all messages in #{room}",
  "notify.mentions-done": "You'll be notified when someone mentions you in #{room}",
  "notify.none-done": "You won't be notified about #{room}",
  "bar.you": "You",

  "members.filter": "Filter members",
  "members.online": "Online",
  "members.offline": "Offline",
  "members.not-loaded": "The member list didn't load. Snug keeps trying.",
  "members.no-match": "No members match.",
  "create.submit": "Create room",
  "create.name-hint": "Lowercase letters, digits and dashes.",
  "room-menu.muted": "#{room} is muted",
  "room-menu.unmuted": "#{room} is no longer muted",
  "room-menu.undone": "Undone",
});
