import { compileMessages } from "../compile.ts" with { type: "macro" };
import type { keeping as english } from "../en/keeping.ts";

/** Pins, saved messages and reminders, scheduled messages and drafts. */
export const keeping = compileMessages<Record<keyof typeof english, string>>({
  "pin.who": "Fijado por {name}",
  "pin.newest": "Último mensaje fijado",
  "pin.no-text": "Imagen o archivo",
  "pin.all": "{count, plural, one {# fijado} other {Los # fijados}}",
  "pin.fold": "Ocultar hasta que se fije algo nuevo",
  "until-today": "las {time}",
  ahead: "{day} {time}",
  "later.mark": "Guardado para más tarde",
  "drafts.no-room": "Una sala en la que ya no estás",
  "scheduled.menu": "A otra hora",
  "scheduled.line":
    "{count, plural, one {# mensaje saldrá {when}} other {# mensajes saldrán, el primero {when}}}",
  "scheduled.late": "Programado para {when}",
});
