import { compileMessages } from "../compile.ts" with { type: "macro" };
import type { parts as english } from "../en/parts.ts";

export const parts = compileMessages<Record<keyof typeof english, string>>({
  "display-name": "Nombre visible",
  "search-by-name": "Buscar por nombre",
  "show-more": "Mostrar más",
  "sign-out": "Cerrar sesión",
  copy: "Copiar",
  "label.name": "Nombre",
  "choose.none": "Ninguna persona coincide",
  "confirm.type": "Escribe {word} para confirmar",
  "image.download": "Descargar",
  "image.from": "Imagen de {name}",
  "image.larger": "Más grande",
  "image.next": "Imagen siguiente",
  "image.previous": "Imagen anterior",
  "image.smaller": "Más pequeña",
});
