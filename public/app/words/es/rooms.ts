import { compileMessages } from "../compile.ts" with { type: "macro" };
import type { rooms as english } from "../en/rooms.ts";

export const rooms = compileMessages<Record<keyof typeof english, string>>({
  "skip.messages": "Ir a los mensajes",
  "skip.writing": "Ir a escribir",
  "skip.content": "Ir al contenido",

  "shell.rooms": "Salas",
  "shell.close-rooms": "Cerrar la lista de salas",
  "shell.width": "Ancho de la lista de salas",
  "shell.go-to": "Ir a (Ctrl K)",
  "shell.browse": "Explorar salas",
  "shell.administration": "Administración",
  "shell.profile": "Tu perfil,",
  "shell.offline": "Apareces sin conexión",
  "shell.unread": "sin leer",
  "shell.to-rooms": "Ir a tus salas",
  "shell.nothing": "Aquí no hay nada",
  "shell.nothing-text": "Puede que la dirección esté mal escrita.",
  "shell.no-rooms": "Aún no hay salas",
  "shell.no-rooms-text":
    "Crea la primera o mira qué salas están abiertas para ti. En la lista lateral están las dos cosas.",
  "shell.not-in": "No estás en #{room}",
  "shell.taken":
    "Te han quitado de ella o se ha eliminado. Alguien que esté dentro puede volver a añadirte.",
  "shell.unknown":
    "No existe, o no te has unido. Si es una sala abierta, la encontrarás al explorar.",
  "shell.reconnecting": "Reconectando. Lo que envíes espera y sale solo.",
  "shell.try-now": "Probar ahora",
  "shell.update": "Hay una versión nueva de Snug. Lo que has escrito se conserva.",
  "shell.use-update": "Usarla ahora",

  "create.title": "Crear una sala",

  "members.title": "Miembros",
  "members.count": "Miembros ({count})",
  "members.add": "Añadir un miembro",
  "members.close": "Cerrar miembros",
  "members.bot": "bot",
  "members.role": "{role, select, owner {titular} admin {admin} other {miembro}}",
  "members.actions": "Acciones para {name}",
  "members.make-admin": "Hacer admin",
  "members.is-admin": "{name} ya es admin.",
  "members.make-member": "Hacer miembro",
  "members.is-member": "{name} ya es miembro.",
  "members.transfer": "Ceder la sala",
  "members.transfer-title": "¿Ceder la sala a {name}?",
  "members.transfer-text": "Pasas a ser admin de la sala. Solo quien la reciba puede devolvértela.",
  "members.remove": "Quitar de la sala",
  "members.is-removed": "{name} ya no está en la sala.",
  "members.is-back": "{name} vuelve a estar en la sala.",

  "room.settings": "Ajustes de la sala",
  "room.archived": "Esta sala está archivada. Puedes leerla, pero no cambiar nada.",

  "notify.title": "Avisos de esta sala",
  "notify.all": "Cada mensaje",
  "notify.mentions": "Menciones mías",
  "notify.none": "Nada",
  "notify.all-done": "Recibes un aviso de cada mensaje en #{room}.",
  "notify.mentions-done": "Recibes un aviso cuando alguien te menciona en #{room}.",
  "notify.none-done": "No recibes avisos de #{room}.",
});
