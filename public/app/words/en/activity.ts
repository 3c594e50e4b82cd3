import { compileMessages } from "../compile.ts" with { type: "macro" };

/** The list of mentions and reactions. */
export const activity = compileMessages({
  "activity.text": "Mentions of you, replies and reactions to your messages",
  "activity.new": "New",
  "activity.earlier": "Earlier",
  "activity.show-new": "Show new activity",
  "activity.none": "Nothing here yet",
  "activity.none-text":
    "When someone mentions you or reacts to your messages, you'll find it here.",
  "activity.mentioned": "<b>{who}</b> mentioned you in <b>#{room}</b>",
  "activity.mentioned-all": "<b>{who}</b> mentioned everyone in <b>#{room}</b>",
  "activity.mentioned-here": "<b>{who}</b> mentioned everyone online in <b>#{room}</b>",
  "activity.replied": "<b>{who}</b> replied to you in <b>#{room}</b>",
  "activity.reacted": "<b>{who}</b> reacted {emojis} in <b>#{room}</b>",
  "activity.and-others": "{name} and {count, plural, one {# other} other {# others}}",
  "activity.image": "Image",
});
