import { compileMessages } from "../compile.ts" with { type: "macro" };

/** Texts that dialogs and pages share, and those of messages beyond the first paint. */
export const parts = compileMessages({
  "sign-out": "Sign out",

  "image.download": "Download",
  "files.download": "Download {name}",
  "size.bytes": "{count, plural, one {# byte} other {# bytes}}",
  "timeline.count-new": "{count, plural, one {# new} other {# new}}",
  "timeline.to-latest": "Jump to latest",
  "timeline.new-since": "New since {when}",
  "timeline.new-count": "{count} new since {when}",
  "timeline.dismiss-new": "Mark as read",
  "timeline.someone": "Someone",
  "timeline.several-type": "Several people are typing…",
  "timeline.type": "{count, plural, one {{names} is typing…} other {{names} are typing…}}",
  "message.not-sent": "not sent",
  "message.sending": "sending…",
  "message.retrying": "not sent yet, retrying",
  "message.discard": "Discard",
  "key.shift": "Shift",
});
