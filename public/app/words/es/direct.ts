import { compileMessages } from "../compile.ts" with { type: "macro" };
import type { direct as english } from "../en/direct.ts";

export const direct = compileMessages<Record<keyof typeof english, string>>({
  "person.deactivated": "desactivada",
  "direct.notes": "Notas para ti",
  "direct.title": "Mensajes directos",
  "direct.new-key": "Mensaje nuevo (Ctrl Mayús K)",
  "direct.notes-begin": "Escríbete una nota",
  "direct.notes-text": "Solo tú ves esto",
  "direct.people": "{count, plural, one {# persona} other {# personas}}",
  "direct.actions": "Acciones de esta conversación",
  "direct.hide-one": "Ocultar {name} hasta el próximo mensaje",
  "direct.add": "Añadir personas",
  "direct.deactivated": "La cuenta de {name} está desactivada. Todavía puedes leer esto.",
  "direct.all-left": "Todos los demás se han ido. Todavía puedes leer esto.",
  "direct.unknown": "No estás en esta conversación",
  "direct.unknown-text": "No existe o has salido de ella.",
  "direct.to-all": "Ir a tus mensajes directos",
});
