import { compileMessages } from "../compile.ts" with { type: "macro" };

/** Creating a room, its settings, and adding people. */
export const roomDialogs = compileMessages({
  "create.topic": "Topic",
  "create.topic-hint": "Shown under the name. Optional.",
  "create.who": "Who can join",
  "create.open": "Anyone can find and join it",
  "create.private": "Only invited people can find it",
  "members.add-to": "Add to #{room}",
  "members.add-action": "Add",
  "members.invite": "Invite someone who has no account yet",
  "members.is-member-already": "member",
  "members.is-bot": "bot",
  "members.add-to-former":
    "Anyone you add sees what was said when this was a conversation, so bots can't be added.",
  "members.is-added": "{name} was added to #{room}",
  "room.no-description": "No topic yet.",
  "room.owner": "Owner",
  "room.created": "Created",
  "room.edit-topic": "Edit the topic",
  "direct.with": "With",
  "room.notify-me": "Notify me",
  "files.none": "No files yet",
  "files.none-text": "Images and files that people share here are listed here.",
  "room.owner-stays": "To leave, make someone else the owner in the member list.",
  "room.was-conversation":
    "This room was a conversation, so it stays private. Only its author can delete a message from that time.",
  "room.no-delete-text": "This room was a conversation, so it can't be deleted.",
  "room.saved": "Room saved",
  "room.leave": "Leave room",
  "room.leave-title": "Leave #{room}?",
  "room.leave-open": "You can join again at any time.",
  "room.leave-private": "You can only come back if a member adds you.",
  "room.delete": "Delete room",
  "room.delete-title": "Delete #{room}?",
  "room.delete-text": "All its messages and files are deleted for everyone. This can't be undone.",
});
