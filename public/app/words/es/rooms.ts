import { compileMessages } from "../compile.ts" with { type: "macro" };
import type { rooms as english } from "../en/rooms.ts";

export const rooms = compileMessages<Record<keyof typeof english, string>>({
  "shell.rooms": "Salas",
  "shell.close-rooms": "Cerrar la lista de salas",
  "shell.go-to": "Ir a (Ctrl K)",
  "shell.activity": "Actividad",
  "shell.threads": "Hilos",
  "shell.later": "Más tarde",
  "shell.drafts": "Borradores",
  "shell.due": "{count, number} por atender",
  "shell.not-sent": "{count, number} sin enviar",
  "shell.unread-threads": "{count, plural, one {# hilo sin leer} other {# hilos sin leer}}",
  "shell.browse": "Explorar salas",
  "shell.administration": "Administración",
  "shell.profile": "Tu perfil,",
  "shell.paused": "En pausa hasta las {when}",
  "shell.offline": "Apareces sin conexión",
  "shell.unread": "sin leer",
  "shell.to-rooms": "Ir a tus salas",
  "shell.reconnecting": "Reconectando. Lo que envíes saldrá cuando vuelvas a tener conexión.",
  "shell.no-network": "Estás sin conexión. Lo que envíes saldrá cuando vuelvas.",
  "shell.try-now": "Probar ahora",
  "shell.update": "Hay una versión nueva de Snug. Tus borradores se conservan.",
  "shell.update-now": "Actualizar ahora",

  "create.title": "Crear una sala",

  "members.count": "Miembros ({count})",
  "members.close": "Cerrar lista de miembros",
  "members.bot": "bot",

  "room.settings": "Ajustes de la sala",
  "room.archived": "Esta sala está archivada y es de solo lectura.",

  "shell.mentions": "{count, plural, one {# mención} other {# menciones}}",

  "sidebar.favourites": "Favoritas",
  "sidebar.rooms": "Salas",
  "sidebar.archived": "Archivadas",
  "sidebar.empty-section": "Arrastra salas aquí o usa sus menús.",
  "sidebar.draft": "Borrador",
  "sidebar.more-mentions": "{count, plural, one {# mención} other {# menciones}}",
  "sidebar.more-unread": "{count, number} sin leer",
  "sidebar.muted": "Silenciada",
  "sidebar.actions": "Opciones de #{room}",
  "bar.search": "Buscar",
});
