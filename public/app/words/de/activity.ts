import { compileMessages } from "../compile.ts" with { type: "macro" };
import type { activity as english } from "../en/activity.ts";

/** The list of mentions and reactions. */
export const activity = compileMessages<Record<keyof typeof english, string>>({
  "activity.text": "Erwähnungen von dir, Antworten und Reaktionen auf deine Nachrichten",
  "activity.new": "Neu",
  "activity.earlier": "Früher",
  "activity.show-new": "Neues anzeigen",
  "activity.none": "Noch nichts",
  "activity.none-text":
    "Wenn dich jemand erwähnt oder auf deine Nachrichten reagiert, findest du es hier.",
  "activity.mentioned": "<b>{who}</b> hat dich in <b>#{room}</b> erwähnt",
  "activity.mentioned-all": "<b>{who}</b> hat alle in <b>#{room}</b> erwähnt",
  "activity.mentioned-here": "<b>{who}</b> hat alle, die online sind, in <b>#{room}</b> erwähnt",
  "activity.replied": "<b>{who}</b> hat dir in <b>#{room}</b> geantwortet",
  "activity.reacted": "<b>{who}</b>: {emojis} in <b>#{room}</b>",
  "activity.and-others": "{name} und {count, plural, one {# weitere Person} other {# weitere}}",
  "activity.image": "Bild",
});
