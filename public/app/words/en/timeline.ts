import { compileMessages } from "../compile.ts" with { type: "macro" };

/** Messages, the composer, attachments and images. */
export const timeline = compileMessages({
  "timeline.missing": "That message was deleted or doesn't exist.",
  "timeline.messages": "Messages in {room}",
  "timeline.loading": "Loading messages",
  "timeline.new": "New",
  "timeline.joined": "{count, plural, one {{names} joined} other {{names} joined}}",
  "timeline.others": "{count, number} others",
  "jump.title": "Jump to a day",
  "timeline.start": "This is the beginning of the room.",
  "timeline.beginning": "This is the beginning of the room. Write the first message.",
  "timeline.earlier": "Show earlier messages",
  "timeline.not-loaded": "The messages didn't load",

  "room.private": "Private room",
  "message.edited": "(edited)",
  "message.show-more": "Show more",
  "message.show-code": "Show all {count, number} lines",
  "message.show-less": "Show less",
  "message.image": "image from {name}",
  "message.your-image": "your image",
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
    "Too many messages are waiting to be sent. Your text is kept. Send it after some have been sent.",
  "composer.too-long": "{count, number} characters too long. Shorten it or split it up.",
  "format.title": "Formatting",

  "files.attach": "Attach files",

  "image.more": "{count} more",
  "image.open": "Open {name}",
  "image.failed": "The image didn't load. Try again",
  "direct.notes-start": "Notes to yourself start here. Only you can see them.",
  "direct.write-note": "Write a note",
  "direct.start": "This is the beginning of your conversation with {names}.",

  "thread.fold": "{count, plural, one {# reply} other {# replies}} in <i>{title}</i>",
  "thread.fold-label":
    "{count, plural, one {# reply} other {# replies}} in {title}, last by {name}",
  "thread.of": "a message from {name}",
  "thread.write": "Reply in the thread",
  "quote.gone": "a deleted message",
  "quote.of": "Go to the quoted message from {name}",
  "quote.image": "an image",
  "quote.file": "a file",
  "message.was-deleted": "This message was deleted.",
});
