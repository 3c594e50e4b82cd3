import { compileMessages } from "../compile.ts" with { type: "macro" };
import type { emoji as english } from "../en/emoji.ts";

export const emoji = compileMessages<Record<keyof typeof english, string>>({
  "emoji.choose": "Elegir un emoji",
  "emoji.search": "Buscar emoji",
  "emoji.search-short": "Buscar",
  "emoji.tone": "Tono de piel",
  "emoji.tone-is":
    "Tono de piel: {tone, select, t0 {ninguno} t1 {claro} t2 {medio claro} t3 {medio} t4 {medio oscuro} other {oscuro}}",
  "emoji.groups": "Grupos de emojis",
  "emoji.none": "Ningún emoji coincide con «{query}»",
  "emoji.recent": "Usados hace poco",
  "emoji.smileys": "Caritas y emociones",
  "emoji.people": "Personas y cuerpo",
  "emoji.animals": "Animales y naturaleza",
  "emoji.food": "Comida y bebida",
  "emoji.travel": "Viajes y lugares",
  "emoji.activities": "Actividades",
  "emoji.objects": "Objetos",
  "emoji.symbols": "Símbolos",
  "emoji.flags": "Banderas",
});
