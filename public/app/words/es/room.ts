import { compileMessages } from "../compile.ts" with { type: "macro" };
import type { room as english } from "../en/room.ts";

/** Creating a room, its settings, and adding members. */
export const room = compileMessages<Record<keyof typeof english, string>>({
  "bar.label": "Principal",
  "room-list.filter": "Filtrar salas",
  "room-list.view": "Orden de las salas",

  "notify.title": "Notificaciones de esta sala",
  "notify.all": "Todos los mensajes",
  "notify.mentions": "Solo menciones",
  "notify.none": "Silenciar",
  "bar.home": "Inicio",
  "bar.you": "Tú",
  "sidebar.more-mentions": "{count, plural, one {# mención} other {# menciones}}",
  "sidebar.more-unread": "{count, number} sin leer",
});
