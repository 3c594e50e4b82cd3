import { compileMessages } from "../compile.ts" with { type: "macro" };
import type { timeline as english } from "../en/timeline.ts";

export const timeline = compileMessages<Record<keyof typeof english, string>>({
  "timeline.missing": "Ese mensaje se ha eliminado o no existe.",
  "timeline.messages": "Mensajes en {room}",
  "timeline.loading": "Cargando mensajes",
  "timeline.new": "Nuevo",
  "timeline.joined":
    "{count, plural, one {{names} se unió a la sala} other {{names} se unieron a la sala}}",
  "timeline.others": "{count, number} más",
  "jump.title": "Ir a un día",
  "timeline.start": "Este es el comienzo de la sala.",
  "timeline.beginning": "Aquí empieza la sala. Escribe el primer mensaje.",
  "timeline.earlier": "Mostrar mensajes anteriores",
  "timeline.not-loaded": "Los mensajes no se cargaron",

  "room.private": "Sala privada",
  "message.edited": "(editado)",
  "message.show-more": "Mostrar más",
  "message.show-code": "Mostrar las {count, number} líneas",
  "message.show-less": "Mostrar menos",
  "message.image": "imagen de {name}",
  "message.your-image": "tu imagen",
  "message.copy-code": "Copiar código",

  react: "Reaccionar",
  "react.who": "{emoji}, {count}: {names}",
  "react.you": "tú",
  "react.more": "{count} más",

  "task.open": "pendiente",
  "task.done": "hecho",

  "composer.message": "Mensaje para {room}",
  "composer.send": "Enviar",
  "composer.emoji": "Añadir un emoji",
  "composer.full":
    "Hay demasiados mensajes por enviar. Tu texto se conserva. Envíalo cuando hayan salido algunos.",
  "composer.too-long": "Sobran {count, number} caracteres. Acórtalo o divídelo.",
  "format.title": "Formato",

  "files.attach": "Adjuntar archivos",

  "image.more": "{count} más",
  "image.open": "Abrir {name}",
  "image.failed": "La imagen no se cargó. Reintentar",
  "direct.notes-start": "Aquí empiezan tus notas. Solo tú las ves.",
  "direct.write-note": "Escribe una nota",
  "direct.start": "Aquí empieza tu conversación con {names}.",

  "thread.fold": "{count, plural, one {# respuesta} other {# respuestas}} en <i>{title}</i>",
  "thread.fold-label":
    "{count, plural, one {# respuesta} other {# respuestas}} en {title}, la última de {name}",
  "thread.of": "un mensaje de {name}",
  "thread.write": "Responder en el hilo",
  "quote.gone": "un mensaje eliminado",
  "quote.of": "Ir al mensaje citado de {name}",
  "quote.image": "una imagen",
  "quote.file": "un archivo",
  "message.was-deleted": "Este mensaje se eliminó.",
});
