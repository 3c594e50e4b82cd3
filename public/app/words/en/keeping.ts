import { compileMessages } from "../compile.ts" with { type: "macro" };

/** Pins, saved messages and reminders, scheduled messages and drafts. */
export const keeping = compileMessages({
  "pin.pin": "Pin message",
  "pin.unpin": "Unpin message",
  "pin.is-pinned": "Message pinned",
  "pin.is-unpinned": "Message unpinned",
  "pin.undone": "Undone",
  "pin.who": "Pinned by {name}",
  "pin.by": "Pinned by {name}, {when}",
  "pin.newest": "Newest pinned message",
  "pin.no-text": "Image or file",
  "pin.all": "{count, plural, one {# pin} other {All # pins}}",
  "pin.count": "Show {count, plural, one {# pinned message} other {all # pinned messages}}",
  "pin.fold": "Hide until something new is pinned",
  "pin.title": "Pinned messages",
  "pin.close": "Close pinned messages",
  "pin.none": "Nothing is pinned here. Press P on a message to pin it.",
  "pin.setting": "Who can pin messages",
  "pin.members": "All members",
  "pin.admins": "The owner and admins",
  "unread.mark": "Mark unread from here",
  "unread.done": "Unread from here on. Esc marks it read.",
});
