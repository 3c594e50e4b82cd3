import { compileMessages } from "../compile.ts" with { type: "macro" };
import type { webhooks as english } from "../en/webhooks.ts";

export const webhooks = compileMessages<Record<keyof typeof english, string>>({
  "webhooks.outgoing": "Webhooks salientes",
  "webhooks.add": "Añadir webhook",
  "webhooks.add-title": "Añadir un webhook",
  "webhooks.none": "Cuenta a otro programa lo que pasa en esta sala.",
  "webhooks.name-hint": "Para que lo reconozcas.",
  "webhooks.address": "Dirección",
  "webhooks.address-hint":
    "Cada evento se envía ahí con POST, como JSON, firmado (Standard Webhooks).",
  "webhooks.told": "Qué se le cuenta",
  "webhooks.choose-one": "Elige al menos uno.",
  "webhooks.secret": "Secreto",
  "webhooks.its-secret": "Su secreto",
  "webhooks.secret-text":
    "Con él comprueba el receptor que lo que llega es de aquí. Solo se muestra ahora: cópialo.",
  "webhooks.new-secret": "Su secreto nuevo",
  "webhooks.new-secret-text":
    "Solo se muestra ahora: cópialo. Durante un día firma también el anterior, para que cambies el receptor con calma.",
  "webhooks.test": "Enviar una prueba",
  "webhooks.pause": "Pausar",
  "webhooks.resume": "Reanudar",
  "webhooks.resumed": "Desde ahora se le envía lo que pase.",
  "webhooks.paused": "No se envía nada hasta que lo reanudes.",
  "webhooks.rotate": "Secreto nuevo",
  "webhooks.rotate-title": "¿Crear un secreto nuevo?",
  "webhooks.rotate-text":
    "El anterior sigue firmando un día más, junto al nuevo. Cambia el receptor antes de que termine.",
  "webhooks.rotate-action": "Crear un secreto nuevo",
  "webhooks.edit-title": "Editar webhook",
  "webhooks.delete-title": "¿Eliminar {name}?",
  "webhooks.delete-text":
    "Ya no se envía nada, y se borra lo que se sabe de entregas anteriores. No se puede deshacer.",
  "webhooks.delete": "Eliminar webhook",
  "webhooks.both-until": "El secreto anterior también firma hasta {when}.",

  "event.message.created": "Mensajes nuevos",
  "event.message.updated": "Mensajes editados",
  "event.message.deleted": "Mensajes eliminados",
  "event.reaction.changed": "Reacciones",
  "event.member.added": "Personas que llegan",
  "event.member.removed": "Personas que se van",
  "event.room.updated": "Cambios de la sala",

  "standing.off": "Apagado. {reason}",
  "standing.paused": "En pausa",
  "standing.nothing": "Aún sin envíos",
  "standing.delivered-at": "Entregado: {when}",
  "standing.failing": "Falla desde: {when}. {error}",
  "standing.last-failed": "El último intento falló. {error}",
  "standing.delivered": "Entregado, {status}",
  "standing.failed": "Ha fallado",
  "standing.failed-with": "Ha fallado, {status}",
  "standing.waits": "Espera a ser enviado",
  "standing.retries": "Espera otro intento",
  "standing.retries-with": "Espera otro intento, {status}",

  "deliveries.title": "Entregas de los últimos 30 días",
  "deliveries.none": "Aún no se ha enviado nada. Envía una prueba.",
  "deliveries.older": "Mostrar anteriores",
  "deliveries.sent": "Enviado",
  "deliveries.answer": "Comienzo de la respuesta",
  "deliveries.again": "Enviar de nuevo",
  "deliveries.tried":
    "{count, plural, one {Un intento} other {# intentos}}, el último: {when}, en {ms} ms.",
  "deliveries.not-tried": "Aún sin intentos.",
  "deliveries.next": "Próximo intento: {when}.",
  "deliveries.once-resumed": "Se intentará de nuevo cuando se reanude el webhook.",

  "incoming.title": "Webhooks entrantes",
  "incoming.add": "Añadir dirección",
  "incoming.none":
    "Deja que otro programa escriba aquí: alertas, compilaciones, todo lo que hable el formato de Slack o de GitHub.",
  "incoming.by": "De {name}",
  "incoming.speaks-as": "habla como {name}",
  "incoming.used": "usada: {when}",
  "incoming.not-used": "aún sin usar",
  "incoming.delete-one": "Eliminar <hidden>{name}</hidden>",
  "incoming.delete-text": "La dirección deja de funcionar al momento. Lo que escribió se queda.",
  "incoming.deleted": "La dirección de {name} ya no existe.",
  "incoming.new": "Una dirección donde escribir",
  "incoming.name-hint": "Con este nombre aparecen sus mensajes, marcados como de un bot.",
  "incoming.secret": "Secreto de GitHub",
  "incoming.secret-hint":
    "Solo para los webhooks del propio GitHub: el mismo secreto que allí. Si no, déjalo vacío.",
  "incoming.make": "Crear dirección",
  "incoming.address-of": "La dirección de {name}",
  "incoming.keep":
    "Quien la tenga puede escribir aquí. Guárdala como una contraseña: no se vuelve a mostrar.",
  "incoming.try": "Probar",
  "incoming.sample": "Hola desde *curl*",
});
