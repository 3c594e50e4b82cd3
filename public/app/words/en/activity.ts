import { compileMessages } from "../compile.ts" with { type: "macro" };

/** The list of mentions and reactions. */
export const activity = compileMessages({
  "activity.text": "Mentions of you, replies and reactions to your messages",
  "activity.all": "All",
  "activity.mention": "Mentions",
  "activity.reaction": "Reactions",
  "activity.reply": "Replies",
  "activity.new": "New",
  "activity.earlier": "Earlier",
  "activity.show-new": "Show new activity",
  "activity.none": "Nothing here yet",
  "activity.none-text":
    "When someone mentions you or reacts to your messages, you'll find it here.",
  "activity.mentioned": "<b>{who}</b> <what>mentioned you in #{room}</what>",
  "activity.mentioned-all": "<b>{who}</b> <what>mentioned everyone in #{room}</what>",
  "activity.mentioned-here": "<b>{who}</b> <what>mentioned everyone online in #{room}</what>",
  "activity.replied":
    "<b>{who}</b> <what>{count, plural, one {replied} other {replied}} to you in #{room}</what>",
  "activity.reacted":
    "<b>{who}</b> <what>{count, plural, one {reacted} other {reacted}} {emojis} in #{room}</what>",
  "activity.and-others":
    "<cut>{name}</cut> <rest>and {count, plural, one {# other} other {# others}}</rest>",
});
