import { compileMessages } from "../compile.ts" with { type: "macro" };

/** Texts of parts that dialogs and pages share. */
export const parts = compileMessages({
  "display-name": "Display name",
  "search-by-name": "Search by name",
  "show-more": "Show more",
  "sign-out": "Sign out",
  copy: "Copy",
  "label.name": "Name",
  "choose.none": "No people match",
  "confirm.type": "Type {word} to confirm",
  "secret.not-copied": "You haven't copied it yet, and it won't be shown again.",
  "secret.close-anyway": "Close anyway",
  "image.download": "Download",
  "image.from": "Image from {name}",
  "image.larger": "Larger",
  "image.next": "Next image",
  "image.previous": "Previous image",
  "image.smaller": "Smaller",

  "files.attachments": "Attachments",
  "files.saving": "Saving…",
  "files.uploading": "Uploading {name}",
  "files.retry": "Retry {name}",
  "files.remove": "Remove {name}",
  "files.cancel": "Cancel {name}",
  "files.over-limit": "{size} is too large. The limit is {cap}.",
  "files.empty": "Empty files and folders can't be sent.",

  "message.actions": "Message actions",
  "message.copy": "Copy text",
  "message.copied": "Text copied",
  "message.copy-link": "Copy link to message",
  "message.link-copied": "Link copied",
  "message.no-copy": "Copying isn't allowed here",
  "message.delete": "Delete message",
  "message.deleted": "Message deleted",
  "react.with": "React with {emoji}",

  "replaced.title": "Signed in to another account",
  "replaced.text":
    "Someone signed in to another account in this browser, so this tab has stopped. Messages and drafts from here are kept for the account that wrote them.",
  "replaced.go": "Continue with that account",
});
