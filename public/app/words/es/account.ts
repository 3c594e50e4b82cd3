import { compileMessages } from "../compile.ts" with { type: "macro" };
import type { account as english } from "../en/account.ts";

export const account = compileMessages<Record<keyof typeof english, string>>({
  "profile.title": "Tu perfil",
  "profile.account": "Cuenta",
  "profile.appearance": "Apariencia",
  "profile.notifications": "Notificaciones",
  "profile.password": "Contraseña",
  "profile.sessions": "Sesiones",

  "account.name-saved": "Tu nombre se ha guardado.",
  "account.name-hint":
    "Se muestra en lugar de tu nombre de usuario. Déjalo vacío para mostrar ese.",
  "account.save-name": "Guardar nombre",
  "account.offline": "Aparecer sin conexión",
  "account.offline-hint": "Nadie ve cuándo estás aquí.",
  "account.sign-out-text":
    "Los mensajes que aún no se han enviado se quedan en este navegador para ti.",

  "picture.title": "Tu foto",
  "picture.choose": "Elegir una foto",
  "picture.change": "Cambiar foto",
  "picture.remove": "Quitar",
  "picture.removed": "Se ha quitado tu foto.",
  "picture.file": "Archivo de la foto",
  "picture.unreadable": "Tu navegador no puede leer esta imagen. Elige otra.",
  "picture.move": "Tu foto: arrástrala o muévela con las flechas",
  "picture.zoom": "Zoom",
  "picture.save": "Guardar foto",
  "picture.saved": "Tu foto se ha guardado.",

  "password.current": "Contraseña actual",
  "password.new": "Contraseña nueva",
  "password.hint": "Al menos {count} caracteres. Se cierran las demás sesiones.",
  "password.change": "Cambiar contraseña",
  "password.changed": "Tu contraseña ha cambiado. Se han cerrado tus demás sesiones.",

  "sessions.title": "Dónde tienes sesión abierta",
  "sessions.this": "Este navegador",
  "sessions.seen": "Visto por última vez: {when}",
  "sessions.ended": "Sesión cerrada allí.",
  "sessions.unknown": "Un navegador desconocido",
  "sessions.browser": "{browser} en {system}",

  "mails.title": "Correo",
  "mails.added": "Cuando alguien me añade a una sala",
  "mails.to": "A {email}.",

  "push.title": "En este dispositivo",
  "push.notify": "Avisarme de los mensajes",
  "push.notify-hint":
    "Cuando la sala no está abierta en ningún sitio. Cada sala tiene su propio ajuste arriba.",
  "push.on": "Este navegador recibe avisos de los mensajes.",
  "push.no-answer":
    "El servicio de avisos de este navegador no respondió. Comprueba tu conexión e inténtalo de nuevo.",
  "push.test": "Enviar una prueba",
  "push.test-sent": "La prueba va de camino a tus navegadores.",
  "push.test-refused": "Ningún servicio de avisos la aceptó. Inténtalo dentro de un minuto.",
  "push.unsupported": "Este navegador no puede mostrar avisos de una página cerrada.",
  "push.install":
    "En este dispositivo los avisos funcionan cuando Snug está instalado: comparte esta página, elige «Añadir a pantalla de inicio» y abre Snug desde ahí.",
  "push.denied":
    "Has prohibido los avisos de esta página. Permítelos en los ajustes del navegador para este sitio y vuelve.",

  "pause.title": "Pausa",
  "pause.text": "Sin avisos en ningún dispositivo durante un rato. Las marcas de no leído siguen.",
  "pause.until": "Sin avisos en ningún dispositivo hasta {when}.",
  "pause.resume": "Reanudar",
  "pause.hour": "Durante una hora",
  "pause.tomorrow": "Hasta mañana",

  "language.title": "Idioma",
  "language.browser": "Como el navegador: {language}",
  "language.hint": "En este navegador. Lo que escriben los demás queda como está.",
});
