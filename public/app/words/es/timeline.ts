import { compileMessages } from "../compile.ts" with { type: "macro" };
import type { timeline as english } from "../en/timeline.ts";

export const timeline = compileMessages<Record<keyof typeof english, string>>({
  "timeline.missing": "Ese mensaje se ha eliminado o no existe.",
  "timeline.messages": "Mensajes en {room}",
  "timeline.loading": "Cargando mensajes",
  "timeline.new": "Nuevo",
  "timeline.count-new": "{count, plural, one {# nuevo} other {# nuevos}}",
  "timeline.to-latest": "Ir a lo último",
  "timeline.new-since": "Nuevo desde {when}",
  "timeline.dismiss-new": "Marcar todo como leído",
  "jump.title": "Ir a un día",
  "timeline.beginning": "Aquí empieza la sala. Escribe el primer mensaje.",
  "timeline.not-loaded": "Los mensajes no se cargaron",
  "timeline.someone": "Alguien",
  "timeline.several-type": "Varias personas están escribiendo…",
  "timeline.type":
    "{count, plural, one {{names} está escribiendo…} other {{names} están escribiendo…}}",

  "message.edited": "(editado)",
  "message.edit": "Editar mensaje",
  "message.image": "imagen de {name}",
  "message.not-sent": "no enviado",
  "message.sending": "enviando…",
  "message.retrying": "aún no enviado, se sigue intentando",
  "message.your-image": "tu imagen",
  "message.discard": "Descartar",
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
  "composer.suggestions": "Sugerencias",

  "files.attach": "Adjuntar archivos",
  "files.drop": "Suelta para adjuntar en {room}",

  "image.more": "{count} más",
  "image.open": "Abrir {name}",
  "image.failed": "La imagen no se cargó. Reintentar",
  "direct.notes-start": "Aquí empiezan tus notas. Solo tú las ves.",
  "direct.write-note": "Escribe una nota",
  "direct.start": "Aquí empieza tu conversación con {names}.",
});
