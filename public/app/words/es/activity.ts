import { compileMessages } from "../compile.ts" with { type: "macro" };
import type { activity as english } from "../en/activity.ts";

/** The list of mentions and reactions. */
export const activity = compileMessages<Record<keyof typeof english, string>>({
  "activity.text": "Menciones, respuestas y reacciones a tus mensajes",
  "activity.new": "Nuevo",
  "activity.earlier": "Anterior",
  "activity.show-new": "Ver lo nuevo",
  "activity.none": "Todavía no hay nada",
  "activity.none-text": "Cuando alguien te mencione o reaccione a tus mensajes, lo verás aquí.",
  "activity.mentioned": "<b>{who}</b> te mencionó en <b>#{room}</b>",
  "activity.mentioned-all": "<b>{who}</b> mencionó a todos en <b>#{room}</b>",
  "activity.mentioned-here": "<b>{who}</b> mencionó a quienes están en línea en <b>#{room}</b>",
  "activity.replied": "<b>{who}</b> te respondió en <b>#{room}</b>",
  "activity.reacted": "<b>{who}</b>: {emojis} en <b>#{room}</b>",
  "activity.and-others": "{name} y {count, plural, one {# persona más} other {# personas más}}",
  "activity.image": "Imagen",
});
