import { compileMessages } from "../compile.ts" with { type: "macro" };
import type { common as english } from "../en/common.ts";

export const common = compileMessages<Record<keyof typeof english, string>>({
  close: "Cerrar",
  copied: "Copiado",
  delete: "Eliminar",
  edit: "Editar",
  email: "Correo",
  loading: "Cargando",
  password: "Contraseña",
  "try-again": "Reintentar",
  username: "Nombre de usuario",

  online: "en línea",
  offline: "sin conexión",

  when: "{day}, {time}",

  "part.missing": "Una parte de Snug no se ha cargado. Puedes seguir leyendo y escribiendo.",
  "part.failed": "Esta parte no se cargó",
  "part.failed-text": "Todo lo demás sigue funcionando. Inténtalo de nuevo.",
  "part.not-loaded-text": "Comprueba tu conexión e inténtalo de nuevo.",
  "part.reload": "Recargar la página",

  "unreachable.title": "No se puede acceder a Snug",
  "unreachable.text": "Comprueba tu conexión. Lo que has escrito se conserva.",

  "error.offline": "No se puede acceder a Snug. Comprueba tu conexión.",
  "error.not-answering": "Snug no responde bien. Inténtalo de nuevo.",
  "error.interrupted": "La subida se ha interrumpido. Comprueba tu conexión.",
  "error.not-uploaded": "La subida ha fallado. Inténtalo de nuevo.",
  "error.over-limit": "El archivo es demasiado grande.",
  "error.unknown": "Algo ha ido mal. Inténtalo de nuevo.",
});
