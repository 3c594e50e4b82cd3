import { compiled } from "../compile.ts" with { type: "macro" };
import type { talk as english } from "../en/talk.ts";

export const talk = compiled<Record<keyof typeof english, string>>({
  "talk.missing": "Ese mensaje ya no está o nunca estuvo aquí.",
  "talk.loading": "Cargando mensajes",
  "talk.someone": "Alguien",
  "talk.several-type": "Varias personas están escribiendo…",
  "talk.type":
    "{count, plural, one {{names} está escribiendo…} other {{names} están escribiendo…}}",

  "message.edited": "(editado)",
  "message.not-sent": "no enviado",
  "message.sending": "enviando…",
  "message.your-image": "tu imagen",
  "message.discard": "Descartar",
  "message.copy-code": "Copiar código",

  react: "Reaccionar",
  "react.who": "{emoji}, {count}: {names}",
  "react.you": "tú",
  "react.more": "{count} más",

  "composer.suggestions": "Sugerencias",

  "files.attach": "Adjuntar archivos",
  "files.drop": "Suelta para adjuntar en {room}",
  "files.attachments": "Adjuntos",
  "files.storing": "Guardando…",
  "files.uploading": "Subiendo {name}",
  "files.again": "Reintentar {name}",
  "files.remove": "Quitar {name}",
  "files.cancel": "Cancelar {name}",
  "files.over-cap": "Ocupa {size}. Se pueden enviar {cap} como mucho.",
  "files.empty": "Está vacío o es una carpeta.",

  "image.open": "Abrir {name}",
  "image.failed": "La imagen no se cargó. Reintentar",
  "image.from": "Imagen de {name}",
  "image.smaller": "Más pequeña",
  "image.larger": "Más grande",
  "image.download": "Descargar",
  "image.previous": "Imagen anterior",
  "image.next": "Imagen siguiente",
});
