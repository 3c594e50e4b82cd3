import { compileMessages } from "../compile.ts" with { type: "macro" };

/** What the parts say that dialogs and pages share. */
export const parts = compileMessages({
  "display-name": "Display name",
  "i-have-it": "I have it",
  "search-by-name": "Search by name",
  "show-more": "Show more",
  "sign-out": "Sign out",
  copy: "Copy",
  name: "Name",
  "choose.nobody": "Nobody here goes by that name.",
  "confirm.type": "Type {word} to confirm",
  "image.download": "Download",
  "image.from": "Image from {name}",
  "image.larger": "Larger",
  "image.next": "Next image",
  "image.previous": "Previous image",
  "image.smaller": "Smaller",
});
