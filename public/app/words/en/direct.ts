import { compileMessages } from "../compile.ts" with { type: "macro" };

/** Direct conversations. */
export const direct = compileMessages({
  "person.deactivated": "deactivated",
  "direct.notes": "Notes to yourself",
  "direct.title": "Direct messages",
  "direct.new-key": "New message (Ctrl Shift K)",
  "direct.notes-begin": "Write yourself a note",
  "direct.notes-text": "Only you can see this",
  "direct.people": "{count, plural, one {# person} other {# people}}",
  "direct.actions": "Actions for this conversation",
  "direct.hide-one": "Hide {name} until the next message",
  "direct.add": "Add people",
  "direct.deactivated": "{name}'s account is deactivated. You can still read this.",
  "direct.all-left": "Everyone else has left. You can still read this.",
  "direct.unknown": "You are not in this conversation",
  "direct.unknown-text": "It does not exist, or you have left it.",
  "direct.to-all": "Go to your direct messages",
});
