import { compileMessages } from "../compile.ts" with { type: "macro" };
import type { common as english } from "../en/common.ts";

export const common = compileMessages<Record<keyof typeof english, string>>({
  cancel: "Cancelar",
  close: "Cerrar",
  copied: "Copiado",
  delete: "Eliminar",
  done: "Listo",
  edit: "Editar",
  email: "Correo",
  loading: "Cargando",
  password: "Contraseña",
  save: "Guardar",
  "sign-in": "Iniciar sesión",
  "try-again": "Reintentar",
  undo: "Deshacer",
  username: "Nombre de usuario",

  online: "en línea",
  offline: "sin conexión",

  "size.bytes": "{count, plural, one {# byte} other {# bytes}}",
  when: "{day}, {time}",

  "part.failed": "Esta parte no se cargó",
  "part.failed-text": "Lo demás sigue funcionando. Vuelve a intentarlo con esta parte.",
  "part.not-loaded-text": "Comprueba tu conexión y vuelve a intentarlo.",
  "part.load-again": "Recargar la página",

  "unreachable.title": "No se puede acceder a Snug",
  "unreachable.text": "Comprueba tu conexión. Lo que has escrito se conserva.",
  "replaced.title": "Hay otra cuenta con la sesión iniciada",
  "replaced.text":
    "Alguien inició sesión con otra cuenta en este navegador, así que esta pestaña se detuvo. Los mensajes y borradores escritos aquí se conservan para la cuenta que los escribió.",
  "replaced.go": "Continuar con esa cuenta",

  "signin.username": "Nombre de usuario o correo",
  "signin.forgot": "¿Has olvidado tu contraseña?",
  "signin.no-account":
    "¿Aún no tienes cuenta? Pide un enlace de registro a quien administra este Snug.",

  "error.offline": "No se puede acceder a Snug. Comprueba tu conexión.",
  "error.not-answering": "Snug no responde bien. Inténtalo de nuevo.",
  "error.broken-off": "La subida se interrumpió. Comprueba tu conexión.",
  "error.not-uploaded": "La subida no ha funcionado. Inténtalo de nuevo.",
  "error.over-limit": "El archivo es demasiado grande.",
  "error.unknown": "No ha funcionado. Inténtalo de nuevo.",
});
