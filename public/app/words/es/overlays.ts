import { compileMessages } from "../compile.ts" with { type: "macro" };
import type { overlays as english } from "../en/overlays.ts";

export const overlays = compileMessages<Record<keyof typeof english, string>>({
  "switcher.title": "Ir a",
  "switcher.what": "Sala, persona o acción",
  "switcher.results": "Resultados",
  "switcher.none": "Sin resultados. Prueba con menos letras.",
  "switcher.read-all": "Marcar todas las salas como leídas",
  "switcher.all-read": "Todas las salas marcadas como leídas",
  "switcher.profile": "Tu perfil",
  "switcher.appearance": "Apariencia",
  "switcher.notifications": "Notificaciones",
  "switcher.password": "Cambiar contraseña",
  "switcher.sessions": "Dónde tienes sesión abierta",

  "announce.message": "{name}: {text}",
  "announce.image": "{name} ha enviado una imagen",
  "announce.file": "{name} ha enviado un archivo",
  "announce.some": "{count, plural, one {# mensaje nuevo} other {# mensajes nuevos}} de {names}",
  "announce.many": "{count, plural, one {# mensaje nuevo} other {# mensajes nuevos}}",

  "shortcuts.title": "Atajos de teclado",
  "shortcuts.anywhere": "En cualquier sitio",
  "shortcuts.go": "Ir a una sala, una persona o una acción",
  "shortcuts.list": "Mostrar los atajos",
  "shortcuts.close": "Cerrar",
  "shortcuts.writing": "Al escribir",
  "shortcuts.send": "Enviar",
  "shortcuts.new-line": "Línea nueva",
  "shortcuts.edit-last": "Editar tu último mensaje (si no hay nada escrito)",
  "shortcuts.mark-read": "Marcar la sala como leída",
  "shortcuts.mention": "Mencionar a alguien",
  "shortcuts.room": "Enlazar una sala",
  "shortcuts.emoji": "Emoji por su nombre",
  "key.ctrl": "Ctrl",
  "key.alt": "Alt",
  "key.shift": "Mayús",
  "key.enter": "Intro",
  "key.esc": "Esc",

  "jump.day": "Día",
  "jump.today": "Hoy",
  "jump.week": "Hace una semana",
  "jump.month": "Hace un mes",
  "jump.beginning": "El principio",
  "jump.go": "Ir",

  "person.bot": "bot",
  "person.deactivated": "desactivada",
  "person.online": "En línea",
  "person.offline": "Sin conexión",
  "person.mention": "Mención",
  "person.in": "En",

  "broadcast.title": "¿Avisar a {count, plural, one {# persona} other {# personas}}?",
  "broadcast.room":
    "@room llega a todos en #{room}: se avisará a {count, plural, one {# persona} other {# personas}}.",
  "broadcast.here":
    "@here llega a todos los que están en línea en #{room}: se avisará a {count, plural, one {# persona} other {# personas}}.",
  "broadcast.back": "Seguir escribiendo",
  "broadcast.send": "Enviar",
});
