import { compileMessages } from "../compile.ts" with { type: "macro" };
import type { activity as english } from "../en/activity.ts";

/** The list of mentions and reactions. */
export const activity = compileMessages<Record<keyof typeof english, string>>({
  "activity.text": "Erwähnungen von dir, Antworten und Reaktionen auf deine Nachrichten",
  "activity.all": "Alle",
  "activity.mention": "Erwähnungen",
  "activity.reaction": "Reaktionen",
  "activity.reply": "Antworten",
  "activity.new": "Neu",
  "activity.earlier": "Früher",
  "activity.show-new": "Neues anzeigen",
  "activity.none": "Noch nichts",
  "activity.none-text":
    "Wenn dich jemand erwähnt oder auf deine Nachrichten reagiert, findest du es hier.",
  "activity.mentioned": "<b>{who}</b> <what>hat dich in #{room} erwähnt</what>",
  "activity.mentioned-all": "<b>{who}</b> <what>hat alle in #{room} erwähnt</what>",
  "activity.mentioned-here":
    "<b>{who}</b> <what>hat alle, die online sind, in #{room} erwähnt</what>",
  "activity.replied":
    "<b>{who}</b> <what>{count, plural, one {hat} other {haben}} dir in #{room} geantwortet</what>",
  "activity.reacted":
    "<b>{who}</b> <what>{count, plural, one {hat} other {haben}} mit {emojis} in #{room} reagiert</what>",
  "activity.and-others":
    "<cut>{name}</cut> <rest>und {count, plural, one {# weitere Person} other {# weitere}}</rest>",
});
