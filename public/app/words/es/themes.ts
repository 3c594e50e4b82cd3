import { compileMessages } from "../compile.ts" with { type: "macro" };
import type { themes as english } from "../en/themes.ts";

export const themes = compileMessages<Record<keyof typeof english, string>>({
  "theme.choose": "Tema",
  "theme.system": "Sistema",
  "theme.system-hint": "Claro u oscuro, como tu dispositivo",
  "theme.light": "Claro",
  "theme.dark": "Oscuro",
  "theme.midnight": "Medianoche",
  "theme.sunset": "Atardecer",
  "theme.mine": "Mi tema",
  "theme.new": "Tema nuevo",
  "theme.edit": "Editar tema",
  "theme.change": "Cambiar {name}",
  "theme.duplicate": "Duplicar",
  "theme.save": "Guardar tema",
  "theme.saved": "Tema {name} guardado",
  "theme.delete-title": "¿Eliminar {name}?",
  "theme.delete-text":
    "No se puede deshacer. Si estás usando este tema, vuelves a uno de los incluidos.",
  "theme.delete": "Eliminar tema",
  "theme.dark-controls": "Controles oscuros",
  "theme.dark-controls-hint":
    "Para los menús, las barras de desplazamiento y otras partes que dibuja el navegador.",
  "theme.unreadable": "Difícil de leer. El texto necesita un contraste de al menos {needed} a 1.",
  "theme.contrast": "{text} sobre {ground}: {ratio} a 1",

  "color.background": "Fondo",
  "color.surface": "Superficies",
  "color.sidebar": "Barra lateral",
  "color.border": "Bordes",
  "color.text": "Texto",
  "color.text_muted": "Texto tenue",
  "color.accent": "Acento",
  "color.accent_strong": "Enlaces",
  "color.accent_soft": "Acento suave",
  "color.highlight": "Resaltado",
  "color.danger": "Peligro",
  "color.on_accent": "Texto sobre acento",

  "sample.room": "general",
  "sample.other-room": "diseño",
  "sample.message": "Un mensaje con un <link>enlace</link>",
  "sample.mention": "<you>@tú</you>: te mencionan",
  "sample.button": "Botón",
});
