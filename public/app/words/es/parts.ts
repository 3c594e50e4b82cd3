import { compileMessages } from "../compile.ts" with { type: "macro" };
import type { parts as english } from "../en/parts.ts";

export const parts = compileMessages<Record<keyof typeof english, string>>({
  "sign-out": "Cerrar sesión",

  "image.download": "Descargar",
  "files.download": "Descargar {name}",
  "size.bytes": "{count, plural, one {# byte} other {# bytes}}",
  "timeline.count-new": "{count, plural, one {# nuevo} other {# nuevos}}",
  "timeline.to-latest": "Ir a lo último",
  "timeline.new-since": "Nuevo desde {when}",
  "timeline.new-count": "{count} nuevos desde {when}",
  "timeline.dismiss-new": "Marcar como leído",
  "timeline.someone": "Alguien",
  "timeline.several-type": "Varias personas están escribiendo…",
  "timeline.type":
    "{count, plural, one {{names} está escribiendo…} other {{names} están escribiendo…}}",
  "message.not-sent": "no enviado",
  "message.sending": "enviando…",
  "message.retrying": "aún no enviado, se sigue intentando",
  "message.discard": "Descartar",
  "key.shift": "Mayús",
});
