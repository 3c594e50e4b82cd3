import { compileMessages } from "../compile.ts" with { type: "macro" };
import type { activity as english } from "../en/activity.ts";

/** The list of mentions and reactions. */
export const activity = compileMessages<Record<keyof typeof english, string>>({
  "activity.text": "Menciones, respuestas y reacciones a tus mensajes",
  "activity.all": "Todo",
  "activity.mention": "Menciones",
  "activity.reaction": "Reacciones",
  "activity.reply": "Respuestas",
  "activity.new": "Nuevo",
  "activity.earlier": "Anterior",
  "activity.show-new": "Ver lo nuevo",
  "activity.none": "Todavía no hay nada",
  "activity.none-text": "Cuando alguien te mencione o reaccione a tus mensajes, lo verás aquí.",
  "activity.mentioned": "<b>{who}</b> <what>te mencionó en #{room}</what>",
  "activity.mentioned-all": "<b>{who}</b> <what>mencionó a todos en #{room}</what>",
  "activity.mentioned-here":
    "<b>{who}</b> <what>mencionó a quienes están en línea en #{room}</what>",
  "activity.replied":
    "<b>{who}</b> <what>te {count, plural, one {respondió} other {respondieron}} en #{room}</what>",
  "activity.reacted":
    "<b>{who}</b> <what>{count, plural, one {reaccionó} other {reaccionaron}} con {emojis} en #{room}</what>",
  "activity.and-others":
    "<cut>{name}</cut> <rest>y {count, plural, one {# persona más} other {# personas más}}</rest>",
});
