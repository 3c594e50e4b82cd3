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
  "secret.not-copied": "Aún no lo has copiado y no se volverá a mostrar.",
  "secret.close-anyway": "Cerrar de todos modos",
  "image.download": "Descargar",
  "image.from": "Imagen de {name}",
  "image.larger": "Más grande",
  "image.next": "Imagen siguiente",
  "image.previous": "Imagen anterior",
  "image.smaller": "Más pequeña",

  "files.attachments": "Adjuntos",
  "files.saving": "Guardando…",
  "files.uploading": "Subiendo {name}",
  "files.retry": "Reintentar {name}",
  "files.remove": "Quitar {name}",
  "files.cancel": "Cancelar {name}",
  "files.over-limit": "{size} es demasiado. El límite es {cap}.",
  "files.empty": "No se pueden enviar carpetas ni archivos vacíos.",

  "message.actions": "Acciones del mensaje",
  "message.copy": "Copiar texto",
  "message.copied": "Texto copiado",
  "message.copy-link": "Copiar enlace al mensaje",
  "message.link-copied": "Enlace copiado",
  "message.no-copy": "Aquí no se permite copiar",
  "message.delete": "Eliminar mensaje",
  "message.deleted": "Mensaje eliminado",
  "react.with": "Reaccionar con {emoji}",

  "replaced.title": "Sesión iniciada con otra cuenta",
  "replaced.text":
    "Alguien inició sesión con otra cuenta en este navegador, así que esta pestaña se detuvo. Los mensajes y borradores escritos aquí se conservan para la cuenta que los escribió.",
  "replaced.go": "Continuar con esa cuenta",
});
