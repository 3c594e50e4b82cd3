import { compileMessages } from "../compile.ts" with { type: "macro" };
import type { threads as english } from "../en/threads.ts";

/** Threads, quotes, and their settings. */
export const threads = compileMessages<Record<keyof typeof english, string>>({
  "thread.replies": "{count, plural, one {# respuesta} other {# respuestas}}",
  "threads.new-replies": "{count, plural, one {# respuesta nueva} other {# respuestas nuevas}}",
  "thread.is-done": "Hecho",
  "thread.title": "Hilo",
  "thread.close": "Cerrar el hilo",
  "thread.messages": "Respuestas del hilo",
  "thread.none": "Todavía no hay respuestas",
  "thread.gone": "Este hilo ya no existe",
  "thread.gone-text":
    "Se eliminó su primer mensaje, o nunca existió. Ciérralo para seguir en la sala.",
  "thread.actions": "Acciones para este hilo",
  "thread.done": "Marcar como hecho",
  "thread.reopen": "Abrir de nuevo",
  "quote.upload": "una imagen o un archivo",
  "quote.remove": "Quitar la cita",
  "notify.replies": "También respuestas de hilos que no sigues",
  "notify.replies-on": "Recibirás avisos de todas las respuestas en #{room}",
  "notify.replies-off": "Recibirás avisos de las respuestas en los hilos que sigues en #{room}",
});
