import { compileMessages } from "../compile.ts" with { type: "macro" };

/** Messages, the composer, attachments and images. */
export const timeline = compileMessages({
  "timeline.missing": "That message was deleted or doesn't exist.",
  "timeline.messages": "Messages in {room}",
  "timeline.loading": "Loading messages",
  "timeline.new": "New",
  "timeline.count-new": "{count, plural, one {# new} other {# new}}",
  "timeline.to-latest": "Jump to latest",
  "timeline.new-since": "New since {when}",
  "timeline.dismiss-new": "Mark all as read",
  "jump.title": "Jump to a day",
  "timeline.beginning": "This is the beginning of the room. Write the first message.",
  "timeline.not-loaded": "The messages didn't load",
  "timeline.someone": "Someone",
  "timeline.several-type": "Several people are typing…",
  "timeline.type": "{count, plural, one {{names} is typing…} other {{names} are typing…}}",

  "message.edited": "(edited)",
  "message.edit": "Edit message",
  "message.image": "image from {name}",
  "message.not-sent": "not sent",
  "message.sending": "sending…",
  "message.retrying": "not sent yet, retrying",
  "message.your-image": "your image",
  "message.discard": "Discard",
  "message.copy-code": "Copy code",

  react: "React",
  "react.who": "{emoji}, {count}: {names}",
  "react.you": "you",
  "react.more": "{count} more",

  "task.open": "to do",
  "task.done": "done",

  "composer.message": "Message {room}",
  "composer.send": "Send",
  "composer.emoji": "Add an emoji",
  "composer.full":
    "Too many messages are waiting to be sent. Your text is kept. Send it once some have gone out.",
  "composer.too-long": "{count, number} characters too long. Shorten it or split it up.",
  "format.title": "Formatting",
  "composer.suggestions": "Suggestions",

  "files.attach": "Attach files",
  "files.drop": "Drop to attach to {room}",

  "image.more": "{count} more",
  "image.open": "Open {name}",
  "image.failed": "The image didn't load. Try again",
  "direct.notes-start": "Notes to yourself start here. Only you can see them.",
  "direct.write-note": "Write a note",
  "direct.start": "This is the beginning of your conversation with {names}.",
});
