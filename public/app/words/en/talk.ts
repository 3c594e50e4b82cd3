import { compiled } from "../compile.ts" with { type: "macro" };

/** What stands among messages, and where one writes them. */
export const talk = compiled({
  "talk.missing": "That message is gone, or was never here.",
  "talk.loading": "Loading messages",
  "talk.someone": "Someone",
  "talk.several-type": "Several people are typing…",
  "talk.type": "{count, plural, one {{names} is typing…} other {{names} are typing…}}",

  "message.edited": "(edited)",
  "message.not-sent": "not sent",
  "message.sending": "sending…",
  "message.your-image": "your image",
  "message.discard": "Discard",
  "message.copy-code": "Copy code",

  react: "React",
  "react.who": "{emoji}, {count}: {names}",
  "react.you": "you",
  "react.more": "{count} more",

  "composer.suggestions": "Suggestions",

  "files.attach": "Attach files",
  "files.drop": "Drop to attach to {room}",
  "files.attachments": "Attachments",
  "files.storing": "Storing…",
  "files.uploading": "Uploading {name}",
  "files.again": "Try {name} again",
  "files.remove": "Remove {name}",
  "files.cancel": "Cancel {name}",
  "files.over-cap": "It has {size}. At most {cap} can be sent.",
  "files.empty": "It is empty, or a folder.",

  "image.open": "Open {name}",
  "image.failed": "The image did not load. Try again",
  "image.from": "Image from {name}",
  "image.smaller": "Smaller",
  "image.larger": "Larger",
  "image.download": "Download",
  "image.previous": "Previous image",
  "image.next": "Next image",
});
