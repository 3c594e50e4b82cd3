import { compileMessages } from "../compile.ts" with { type: "macro" };
import type { keeping as english } from "../en/keeping.ts";

/** Pins, saved messages and reminders, scheduled messages and drafts. */
export const keeping = compileMessages<Record<keyof typeof english, string>>({
  "pin.pin": "Fijar mensaje",
  "pin.unpin": "Soltar mensaje",
  "pin.is-pinned": "Mensaje fijado",
  "pin.is-unpinned": "Mensaje soltado",
  "pin.undone": "Deshecho",
  "pin.who": "Fijado por {name}",
  "pin.by": "Fijado por {name}, {when}",
  "pin.newest": "Último mensaje fijado",
  "pin.no-text": "Imagen o archivo",
  "pin.all": "{count, plural, one {# fijado} other {Los # fijados}}",
  "pin.count": "Ver {count, plural, one {# mensaje fijado} other {los # mensajes fijados}}",
  "pin.fold": "Ocultar hasta que se fije algo nuevo",
  "pin.title": "Mensajes fijados",
  "pin.close": "Cerrar mensajes fijados",
  "pin.none": "Aquí no hay nada fijado. Pulsa P en un mensaje para fijarlo.",
  "pin.setting": "Quién puede fijar mensajes",
  "pin.members": "Todos los miembros",
  "pin.admins": "Solo titular y admins",
  "unread.mark": "Marcar como no leído desde aquí",
  "unread.done": "No leído desde aquí. Esc lo marca como leído.",
});
