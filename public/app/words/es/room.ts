import { compileMessages } from "../compile.ts" with { type: "macro" };
import type { room as english } from "../en/room.ts";

/** Creating a room, its settings, and adding members. */
export const room = compileMessages<Record<keyof typeof english, string>>({
  "room.no-description": "Aún sin tema.",

  "members.title": "Miembros",
  "members.add": "Añadir un miembro",
  "members.role": "{role, select, owner {propietario} admin {admin} other {miembro}}",
  "person.open": "Mostrar perfil",
  "person.copy-mention": "Copiar la @mención",
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

  "bar.label": "Principal",
  "room-list.filter": "Filtrar salas",
  "room-list.no-match": "Ninguna de tus salas coincide.",
  "room-list.view": "Orden de las salas",

  "shell.width": "Ancho de la lista de salas",
  "notify.title": "Notificaciones de esta sala",
  "notify.all": "Todos los mensajes",
  "notify.mentions": "Solo menciones",
  "notify.none": "Nada",
  "notify.all-done": "Recibirás notificaciones de todos los mensajes de #{room}",
  "notify.mentions-done": "Recibirás notificaciones cuando te mencionen en #{room}",
  "notify.none-done": "No recibirás notificaciones de #{room}",
  "bar.you": "Tú",

  "members.filter": "Filtrar miembros",
  "members.online": "En línea",
  "members.offline": "Sin conexión",
  "members.not-loaded": "Los miembros aún no se han cargado. Snug sigue intentándolo.",
  "members.no-match": "Nadie coincide.",
  "create.submit": "Crear sala",
  "create.name-hint": "Letras minúsculas, cifras y guiones.",
  "room-menu.muted": "#{room} está silenciada",
  "room-menu.unmuted": "#{room} ya no está silenciada",
  "room-menu.undone": "Deshecho",
});
