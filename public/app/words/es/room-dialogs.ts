import { compileMessages } from "../compile.ts" with { type: "macro" };
import type { roomDialogs as english } from "../en/room-dialogs.ts";

export const roomDialogs = compileMessages<Record<keyof typeof english, string>>({
  "create.topic": "Tema",
  "create.topic-hint": "Se muestra bajo el nombre. Opcional.",
  "create.who": "Quién puede unirse",
  "create.open": "Cualquiera puede encontrarla y unirse",
  "create.private": "Solo con invitación",
  "members.add-to": "Añadir a #{room}",
  "members.add-action": "Añadir",
  "members.invite": "Invitar a alguien que aún no tiene cuenta",
  "members.is-member-already": "miembro",
  "members.is-bot": "bot",
  "members.add-to-former":
    "Quien se une ve también lo que se dijo cuando esto era una conversación, así que no se pueden añadir bots.",
  "members.is-added": "{name} ya está en #{room}",
  "room.no-description": "Aún sin tema.",
  "room.owner": "Propietario",
  "room.created": "Creada",
  "room.edit-topic": "Editar el tema",
  "direct.with": "Con",
  "room.notify-me": "Notificarme",
  "files.none": "Aún no hay archivos",
  "files.none-text": "Aquí aparecen las imágenes y los archivos que se comparten.",
  "room.owner-stays": "Para salir, cede la sala a otra persona en la lista de miembros.",
  "room.was-conversation":
    "Esta sala fue una conversación, así que sigue siendo privada. Un mensaje de entonces solo lo puede eliminar quien lo escribió.",
  "room.no-delete-text": "Esta sala fue una conversación, así que no se puede eliminar.",
  "room.saved": "Sala guardada",
  "room.leave": "Salir de la sala",
  "room.leave-title": "¿Salir de #{room}?",
  "room.leave-open": "Puedes volver a unirte cuando quieras.",
  "room.leave-private": "Solo puedes volver si te añade un miembro.",
  "room.delete": "Eliminar sala",
  "room.delete-title": "¿Eliminar #{room}?",
  "room.delete-text": "Se borran todos sus mensajes y archivos, para todos. No se puede deshacer.",
});
