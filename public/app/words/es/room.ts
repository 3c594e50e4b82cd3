import { compileMessages } from "../compile.ts" with { type: "macro" };
import type { room as english } from "../en/room.ts";

/** To make a room, to change it, and to add somebody. */
export const room = compileMessages<Record<keyof typeof english, string>>({
  "create.submit": "Crear sala",
  "create.name-hint": "Letras minúsculas, cifras, guiones.",
  "create.about": "De qué trata",
  "create.about-hint": "Se muestra bajo el nombre. Puedes dejarlo vacío.",
  "create.who": "Quién puede unirse",
  "create.open": "Cualquiera de aquí: se puede encontrar",
  "create.private": "Solo quien sea añadido: está oculta",

  "members.add-to": "Añadir a #{room}",
  "members.add-action": "Añadir",
  "members.is-inside": "miembro",
  "members.is-added": "{name} ya está en #{room}.",

  "room.no-description": "Sin descripción.",
  "room.owned-by": "Esta sala es de {name}.",
  "room.owner-stays": "Para salir, cede la sala a otra persona en la lista de miembros.",
  "room.saved": "La sala se ha guardado.",
  "room.leave": "Salir de la sala",
  "room.leave-title": "¿Salir de #{room}?",
  "room.leave-open": "Puedes volver a unirte cuando quieras.",
  "room.leave-private": "Alguien que esté dentro tendrá que volver a añadirte.",
  "room.delete": "Eliminar sala",
  "room.delete-title": "¿Eliminar #{room}?",
  "room.delete-text": "Se borra todo lo que hay en ella, para todos. No se puede deshacer.",
});
