import { compileMessages } from "../compile.ts" with { type: "macro" };
import type { gate as english } from "../en/gate.ts";

export const gate = compileMessages<Record<keyof typeof english, string>>({
  "gate.dead-link": "Este enlace no funciona",
  "gate.to-signin": "Ir al inicio de sesión",
  "gate.back": "Volver al inicio de sesión",
  "gate.at-least": "Al menos {count} caracteres.",

  "signup.welcome": "Te damos la bienvenida a tu Snug",
  "signup.title": "Crea tu cuenta",
  "signup.first": "Es la primera cuenta: con ella se administra todo.",
  "signup.invited": "Invitación para {email}.",
  "signup.username-hint": "Letras, cifras, puntos, guiones. Con él te mencionan los demás.",
  "signup.display-name-hint": "El nombre que ven los demás. Puedes dejarlo vacío.",
  "signup.submit": "Crear cuenta",

  "forgot.title": "¿Has olvidado tu contraseña?",
  "forgot.text": "Te enviamos un enlace para elegir una nueva.",
  "forgot.submit": "Enviar el enlace",
  "forgot.no-mail": "De aquí no sale correo",
  "forgot.no-mail-text":
    "Este Snug no está configurado para enviar correo. Pide una contraseña nueva a quien lo administra.",
  "forgot.sent": "Mira tu correo",
  "forgot.sent-text": "Si {email} tiene una cuenta aquí, hay un enlace en camino. Vale 15 minutos.",
  "forgot.nothing":
    "¿No hay nada? Mira en el correo no deseado, revisa la dirección o pregunta a quien administra.",
  "forgot.other-address": "Probar otra dirección",

  "reset.title": "Elige una contraseña nueva",
  "reset.whose": "Para @{username}.",
  "reset.password": "Contraseña nueva",
  "reset.password-hint": "Al menos {count} caracteres. Se cerrará tu sesión en todas partes.",
  "reset.submit": "Cambiar contraseña",
  "reset.done": "Tu contraseña ha cambiado",
  "reset.done-text": "Se ha cerrado tu sesión en todas partes. Inicia sesión con la nueva.",
  "reset.new-link": "Pedir un enlace nuevo",
});
