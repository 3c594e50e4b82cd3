import { compileMessages } from "../compile.ts" with { type: "macro" };
import type { webhooks as english } from "../en/webhooks.ts";

export const webhooks = compileMessages<Record<keyof typeof english, string>>({
  "webhooks.outgoing": "Webhooks salientes",
  "webhooks.add": "Añadir webhook",
  "webhooks.none": "Envía los eventos de esta sala a otro programa.",
  "webhooks.name-hint": "Para que lo reconozcas.",
  "webhooks.url": "URL",
  "webhooks.url-hint":
    "Cada evento se envía ahí como una petición POST firmada, en JSON (Standard Webhooks).",
  "webhooks.events": "Eventos",
  "webhooks.choose-one": "Elige al menos uno.",
  "webhooks.secret": "Secreto",
  "webhooks.secret-title": "Secreto de firma",
  "webhooks.secret-text":
    "Con él comprueba el receptor que las peticiones vienen de aquí. Cópialo ahora: no se vuelve a mostrar.",
  "webhooks.new-secret": "Secreto de firma nuevo",
  "webhooks.new-secret-text":
    "Cópialo ahora: no se vuelve a mostrar. El anterior también firma durante un día, para que puedas cambiar el receptor.",
  "webhooks.test": "Enviar prueba",
  "webhooks.pause": "Pausar",
  "webhooks.resume": "Reanudar",
  "webhooks.resumed": "Webhook reanudado. Desde ahora se envían los eventos nuevos.",
  "webhooks.paused": "Webhook en pausa. No se envía nada hasta que lo reanudes.",
  "webhooks.rotate": "Cambiar secreto",
  "webhooks.rotate-title": "¿Cambiar el secreto?",
  "webhooks.rotate-text":
    "El anterior sigue firmando un día más, junto al nuevo. Cambia el receptor antes de que termine.",
  "webhooks.rotate-action": "Cambiar secreto",
  "webhooks.edit-title": "Editar webhook",
  "webhooks.delete-title": "¿Eliminar {name}?",
  "webhooks.delete-text":
    "Ya no se envía nada, y se borra el historial de entregas. No se puede deshacer.",
  "webhooks.delete": "Eliminar webhook",
  "webhooks.both-until": "El secreto anterior también firma hasta {when}.",

  "event.message.created": "Mensajes nuevos",
  "event.message.updated": "Mensajes editados",
  "event.message.deleted": "Mensajes eliminados",
  "event.reaction.changed": "Reacciones",
  "event.member.added": "Miembros nuevos",
  "event.member.removed": "Miembros que se van",
  "event.room.updated": "Cambios de la sala",

  "status.off": "Desactivado. {reason}",
  "status.paused": "En pausa",
  "status.nothing": "Aún sin envíos",
  "status.delivered-at": "Entregado: {when}",
  "status.failing": "Falla desde: {when}. {error}",
  "status.last-failed": "El último intento falló. {error}",
  "status.delivered": "Entregado, {status}",
  "status.failed": "Ha fallado",
  "status.failed-with": "Ha fallado, {status}",
  "status.queued": "Espera a ser enviado",
  "status.retry": "Espera otro intento",
  "status.retry-with": "Espera otro intento, {status}",

  "deliveries.title": "Entregas de los últimos 30 días",
  "deliveries.none": "Aún no se ha enviado nada. Envía una prueba.",
  "deliveries.older": "Mostrar anteriores",
  "deliveries.sent": "Enviado",
  "deliveries.response": "Comienzo de la respuesta",
  "deliveries.resend": "Reenviar",
  "deliveries.attempts":
    "{count, plural, one {Un intento} other {# intentos}}, el último: {when}, en {ms} ms.",
  "deliveries.no-attempts": "Aún sin intentos.",
  "deliveries.next": "Próximo intento: {when}.",
  "deliveries.once-resumed": "Se intentará de nuevo cuando se reanude el webhook.",

  "incoming.title": "Webhooks entrantes",
  "incoming.add": "Crear URL",
  "incoming.none":
    "Deja que otro programa escriba aquí: alertas, compilaciones, todo lo que use el formato de webhook de Slack o de GitHub.",
  "incoming.by": "De {name}",
  "incoming.posts-as": "escribe como {name}",
  "incoming.used": "último uso: {when}",
  "incoming.not-used": "aún sin usar",
  "incoming.delete-one": "Eliminar <hidden>{name}</hidden>",
  "incoming.delete-text":
    "La URL deja de funcionar al momento. Los mensajes que escribió se quedan.",
  "incoming.deleted": "Se ha eliminado la URL de {name}",
  "incoming.new": "Webhook entrante nuevo",
  "incoming.name-hint": "Con este nombre aparecen sus mensajes, marcados como de un bot.",
  "incoming.secret": "Secreto de GitHub",
  "incoming.secret-hint":
    "Solo para los webhooks del propio GitHub: el mismo secreto que allí. Si no, déjalo vacío.",
  "incoming.create": "Crear URL",
  "incoming.url-of": "URL de {name}",
  "incoming.keep":
    "Quien la tenga puede escribir aquí. Trátala como una contraseña: no se vuelve a mostrar.",
  "incoming.try": "Probar",
  "incoming.sample": "Hola desde *curl*",
  "incoming.may-pin": "Puede fijar lo que publica",
  "incoming.may-pin-hint": 'Con "pin": true en lo que envía.',
});
