import { compileMessages } from "../compile.ts" with { type: "macro" };
import type { threads as english } from "../en/threads.ts";

/** Threads, quotes, and their settings. */
export const threads = compileMessages<Record<keyof typeof english, string>>({
  "message.quote": "Responder con una cita",
  "thread.replies": "{count, plural, one {# respuesta} other {# respuestas}}",
  "thread.is-done": "Hecho",
  "thread.reply": "Responder en un hilo",
  "thread.title": "Hilo",
  "thread.close": "Cerrar el hilo",
  "thread.back": "Volver a la sala",
  "thread.messages": "Respuestas del hilo",
  "thread.none": "Todavía no hay respuestas",
  "thread.gone": "Este hilo ya no existe",
  "thread.gone-text":
    "Se eliminó su primer mensaje, o nunca existió. Ciérralo para seguir en la sala.",
  "thread.actions": "Acciones para este hilo",
  "thread.done": "Marcar como hecho",
  "thread.reopen": "Abrir de nuevo",
  "thread.follow": "Seguir el hilo",
  "thread.followed": "Verás las respuestas nuevas en «Hilos»",
  "thread.unfollow": "Dejar de seguir el hilo",
  "thread.unfollowed": "Ya no sigues este hilo, a menos que alguien te mencione en él",
  "thread.name": "Título del hilo",
  "quote.upload": "una imagen o un archivo",
  "quote.remove": "Quitar la cita",
  "threads.in-full": "Mostrar las respuestas completas en las salas, en este dispositivo",
  "threads.in-full-hint": "Si no, las respuestas seguidas se agrupan en una línea.",
  "notify.replies": "También respuestas de hilos que no sigues",
  "notify.replies-on": "Recibirás avisos de todas las respuestas en #{room}",
  "notify.replies-off": "Recibirás avisos de las respuestas en los hilos que sigues en #{room}",
});
