import { compileMessages } from "../compile.ts" with { type: "macro" };
import type { room as english } from "../en/room.ts";

/** Creating a room, its settings, and adding members. */
export const room = compileMessages<Record<keyof typeof english, string>>({
  "create.submit": "Crear sala",
  "create.name-hint": "Letras minúsculas, cifras y guiones.",
  "create.topic": "Tema",
  "create.topic-hint": "Se muestra bajo el nombre. Opcional.",
  "create.who": "Quién puede unirse",
  "create.open": "Cualquiera puede unirse",
  "create.private": "Solo con invitación",

  "members.add-to": "Añadir a #{room}",
  "members.add-action": "Añadir",
  "members.is-member-already": "miembro",
  "members.is-added": "{name} ya está en #{room}",

  "room.no-description": "Aún sin tema.",
  "room.owned-by": "Esta sala es de {name}.",
  "room.owner-stays": "Para salir, cede la sala a otra persona en la lista de miembros.",
  "room.saved": "Sala guardada",
  "room.leave": "Salir de la sala",
  "room.leave-title": "¿Salir de #{room}?",
  "room.leave-open": "Puedes volver a unirte cuando quieras.",
  "room.leave-private": "Solo puedes volver si te añade un miembro.",
  "room.delete": "Eliminar sala",
  "room.delete-title": "¿Eliminar #{room}?",
  "room.delete-text": "Se borran todos sus mensajes y archivos, para todos. No se puede deshacer.",

  "members.title": "Miembros",
  "members.add": "Añadir un miembro",
  "members.role": "{role, select, owner {titular} admin {admin} other {miembro}}",
  "members.actions": "Acciones para {name}",
  "members.make-admin": "Hacer admin",
  "members.is-admin": "{name} ya es admin",
  "members.make-member": "Hacer miembro",
  "members.is-member": "{name} ya es miembro",
  "members.transfer": "Transferir la propiedad",
  "members.transfer-title": "¿Transferir la sala a {name}?",
  "members.transfer-text": "Pasas a ser admin de la sala. Solo quien la reciba puede deshacerlo.",
  "members.remove": "Quitar de la sala",
  "members.is-removed": "{name} ya no está en la sala",
  "members.is-back": "{name} vuelve a estar en la sala",
});
