import { compileMessages } from "../compile.ts" with { type: "macro" };
import type { account as english } from "../en/account.ts";

export const account = compileMessages<Record<keyof typeof english, string>>({
  "account.name-saved": "Nombre guardado",
  "account.name-hint":
    "Se muestra en lugar de tu nombre de usuario. Déjalo vacío para mostrar el nombre de usuario.",
  "account.save-name": "Guardar nombre",
  "account.offline": "Aparecer sin conexión",
  "account.sign-out-everywhere": "Cerrar sesión en todas partes",
  "account.offline-hint": "Nadie ve cuándo estás en línea.",
  "account.sign-out-text":
    "Tus mensajes, borradores y búsquedas se quitan de este navegador. Lo que aún no se ha enviado puedes conservarlo o eliminarlo.",
  "sign-out.left-title": "¿Conservar lo que no se envió?",
  "sign-out.left":
    "{count, plural, one {Un mensaje o borrador tuyo no se envió y solo está en este navegador.} other {# mensajes y borradores tuyos no se enviaron y solo están en este navegador.}}",
  "sign-out.left-text":
    "Si nadie más usa este dispositivo, consérvalo: estará aquí cuando vuelvas a iniciar sesión. En un ordenador compartido elimínalo, porque otras personas podrían leerlo.",
  "sign-out.keep": "Conservar y cerrar sesión",
  "sign-out.delete": "Eliminar y cerrar sesión",

  "threads.in-full": "Mostrar las respuestas completas en las salas, en este dispositivo",
  "threads.in-full-hint": "Si no, las respuestas seguidas se agrupan en una línea.",
  "keys.letters": "Teclas sin Ctrl ni Cmd, en este dispositivo",
  "keys.letters-hint":
    "«?» muestra los atajos, y las letras van al cuadro de mensajes esté donde esté el foco.",

  "picture.title": "Foto de perfil",
  "picture.choose": "Elegir foto",
  "picture.change": "Cambiar foto",
  "picture.remove": "Quitar",
  "picture.removed": "Foto quitada",
  "picture.file": "Archivo de la foto",
  "picture.saved": "Foto guardada",

  "email-setting.added": "Cuando alguien me añade a una sala",
  "email-setting.to": "Se envía a {email}.",

  "email-setting.missed": "Cuando me pierdo una mención",
  "email-setting.missed-hint":
    "Si no has estado aquí durante 15 minutos. Un correo reúne varias, como mucho uno por hora.",
  "quiet.title": "Horas de silencio",
  "quiet.on": "Silencio a horas fijas",
  "quiet.hint":
    "Sin notificaciones ni correos sobre menciones en ningún dispositivo. Lo no leído se sigue marcando.",
  "quiet.from": "{day}, desde",
  "quiet.to": "{day}, hasta",
  "quiet.next-day": "del día siguiente",
  "quiet.none": "Sin horas de silencio",
  "quiet.zone": "Las horas son de {zone}.",
  "quiet.use-zone": "Usar {zone}",
  "keywords.title": "Palabras clave",
  "keywords.label": "Avisarme de estas palabras",
  "keywords.hint":
    "Como una mención, en cualquiera de tus salas. Sepáralas con comas: hasta {count}, de al menos {length} caracteres.",
  "keywords.saved": "Palabras clave guardadas",
  "room-notify.title": "Salas",
  "room-notify.none-found": "Ninguna sala coincide",
  "room-notify.of": "Notificaciones de #{room}",
  "sound.title": "Sonido",
  "sound.label": "Con Snug abierto, reproducir",
  "sound.hint": "Suena con los avisos, no con la sala que tienes abierta.",
  "sound.none": "Nada",
  "sound.drop": "Gota",
  "sound.chime": "Campana",
  "sound.knock": "Golpe",
  "sound.play": "Escuchar",
  "push.title": "Este dispositivo",
  "push.notify": "Avisarme de los mensajes",
  "push.notify-hint":
    "Solo de las salas que no tengas abiertas. Cada sala tiene su propio ajuste arriba.",
  "push.on": "Notificaciones activadas en este navegador",
  "push.no-answer":
    "El servicio de notificaciones del navegador no respondió. Comprueba tu conexión e inténtalo de nuevo.",
  "push.test": "Enviar prueba",
  "push.test-sent": "Prueba enviada a tus navegadores",
  "push.test-refused":
    "Ningún servicio de notificaciones la aceptó. Inténtalo dentro de un minuto.",
  "push.unsupported": "Este navegador no puede mostrar notificaciones con la página cerrada.",
  "push.install":
    "Para recibir notificaciones en este dispositivo, instala Snug: comparte esta página, elige «Añadir a pantalla de inicio» y abre Snug desde ahí.",
  "push.denied":
    "El navegador bloquea las notificaciones. Permítelas en sus ajustes para este sitio y vuelve.",

  "preview.title": "Qué muestran las notificaciones",
  "preview.hint": "En todos los dispositivos. También aparecen en la pantalla de bloqueo.",
  "preview.full": "Todo",
  "preview.sender": "Quién escribe, sin el texto",
  "preview.none": "Ni la persona ni el texto",

  "pause.title": "Pausar notificaciones",
  "pause.text": "Sin notificaciones en ningún dispositivo. Lo no leído se sigue marcando.",
  "pause.until": "En pausa en todos los dispositivos hasta {when}.",
  "pause.resume": "Reanudar",

  "language.title": "Idioma",
  "language.browser": "Como el navegador: {language}",
  "language.hint": "Para este navegador. Los mensajes no se traducen.",
});
