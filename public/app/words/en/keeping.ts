import { compileMessages } from "../compile.ts" with { type: "macro" };

/** Pins, saved messages and reminders, scheduled messages and drafts. */
export const keeping = compileMessages({
  "pin.who": "Pinned by {name}",
  "pin.newest": "Newest pinned message",
  "pin.no-text": "Image or file",
  "pin.all": "{count, plural, one {# pin} other {All # pins}}",
  "pin.fold": "Hide until something new is pinned",
  "until-today": "{time}",
  ahead: "{day} {time}",
  "later.mark": "Saved for later",
  "drafts.no-room": "A room you are no longer in",
  "scheduled.menu": "At another time",
  "scheduled.line":
    "{count, plural, one {# message will be sent {when}} other {# messages will be sent, the first {when}}}",
  "scheduled.late": "Scheduled for {when}",
});
