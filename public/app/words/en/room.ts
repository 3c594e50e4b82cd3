import { compileMessages } from "../compile.ts" with { type: "macro" };

/** Creating a room, its settings, and adding members. */
export const room = compileMessages({
  "create.submit": "Create room",
  "create.name-hint": "Lowercase letters, digits and dashes.",
  "create.topic": "Topic",
  "create.topic-hint": "Shown under the name. Optional.",
  "create.who": "Who can join",
  "create.open": "Anyone can find and join it",
  "create.private": "Only invited people can find it",

  "members.add-to": "Add to #{room}",
  "members.add-action": "Add",
  "members.is-member-already": "member",
  "members.is-added": "{name} was added to #{room}",

  "room.no-description": "No topic yet.",
  "room.owned-by": "Owned by {name}.",
  "room.owner-stays": "To leave, make someone else the owner in the member list.",
  "room.saved": "Room saved",
  "room.leave": "Leave room",
  "room.leave-title": "Leave #{room}?",
  "room.leave-open": "You can join again at any time.",
  "room.leave-private": "You can only come back if a member adds you.",
  "room.delete": "Delete room",
  "room.delete-title": "Delete #{room}?",
  "room.delete-text": "All its messages and files are deleted for everyone. This can't be undone.",

  "members.title": "Members",
  "members.add": "Add a member",
  "members.role": "{role, select, owner {owner} admin {admin} other {member}}",
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
});
