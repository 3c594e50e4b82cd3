import { compileMessages } from "../compile.ts" with { type: "macro" };
import type { browse as english } from "../en/browse.ts";

export const browse = compileMessages<Record<keyof typeof english, string>>({
  "browse.text": "Salas a las que cualquiera puede unirse",
  "browse.none-found": "Ninguna sala coincide",
  "browse.none": "Aún no hay salas abiertas",
  "browse.other-word": "Prueba con otra palabra.",
  "browse.create": "Crea la primera y los demás la encontrarán aquí.",
  "browse.sort": "Ordenar por",
  "browse.by-name": "Nombre",
  "browse.by-members": "Más miembros",
  "browse.by-activity": "Mensaje más reciente",
  "browse.about": "{count, plural, one {# miembro} other {# miembros}}",
  "browse.others": "Otras salas",
  "browse.all-joined": "Estás en todas las salas abiertas.",
  "browse.mine": "Tus salas",
  "browse.join": "Unirse <hidden>{room}</hidden>",
  "share.title": "Compartir",
  "share.to-room": "Compartir en una sala",
  "share.no-room": "Aún no estás en ninguna sala",
  "share.no-room-text": "Únete primero a una sala y vuelve a compartir.",
  "share.nothing": "No hay nada que compartir",
  "share.nothing-text":
    "Comparte texto o archivos con Snug desde otra aplicación y elige aquí la sala.",
  "share.too-large": "Es demasiado de una vez. El límite son 10 archivos y 100 MB en total.",
  "share.failed":
    "Este navegador no pudo guardar lo compartido. Libera espacio y vuelve a compartir.",
  "share.files": "{count, plural, one {# archivo} other {# archivos}}",

  "shell.not-found": "Página no encontrada",
  "shell.not-found-text": "Comprueba que la dirección esté bien escrita.",
  "shell.no-rooms": "Aún no hay salas",
  "shell.no-rooms-text": "Crea la primera sala e invita a tu equipo.",
  "shell.not-in": "No estás en #{room}",
  "shell.removed": "Te han quitado de ella o se ha eliminado. Un miembro puede volver a añadirte.",
  "shell.unknown": "No existe, o no te has unido. Si es una sala abierta, está en Explorar salas.",
  "shell.may-join": "cualquiera puede unirse a esta sala",
  "shell.join": "Unirse a #{room}",
  "shell.welcome": "Te damos la bienvenida a {team}",
  "shell.welcome-text":
    "Aún no estás en ninguna sala. Explora las salas abiertas o espera a que alguien te añada.",
  "shell.invite": "Invitar personas",
});
