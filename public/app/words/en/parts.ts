import { compileMessages } from "../compile.ts" with { type: "macro" };

/** What the parts say that dialogs and pages share. */
export const parts = compileMessages({
  "display-name": "Display name",
  "search-by-name": "Search by name",
  "show-more": "Show more",
  "sign-out": "Sign out",
  copy: "Copy",
  "label.name": "Name",
  "choose.none": "No people match",
  "confirm.type": "Type {word} to confirm",
  "image.download": "Download",
  "image.from": "Image from {name}",
  "image.larger": "Larger",
  "image.next": "Next image",
  "image.previous": "Previous image",
  "image.smaller": "Smaller",
});
