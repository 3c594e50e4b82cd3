import { compileMessages } from "../compile.ts" with { type: "macro" };
import type { signIn as english } from "../en/sign-in.ts";

export const signIn = compileMessages<Record<keyof typeof english, string>>({
  "sign-in.dead-link": "Este enlace no funciona",
  "sign-in.to-signin": "Ir al inicio de sesión",
  "sign-in.back": "Volver al inicio de sesión",
  "sign-in.at-least": "Al menos {count} caracteres.",

  "sign-up.welcome": "Te damos la bienvenida a tu Snug",
  "sign-up.title": "Te damos la bienvenida a {team}",
  "sign-up.first": "Eres la primera persona aquí, así que esta cuenta lo administra todo.",
  "sign-up.invited": "Invitación para {email}.",
  "sign-up.username-hint": "Letras, cifras, puntos, guiones. Con él te mencionan los demás.",
  "sign-up.display-name-hint": "El nombre que ven los demás. Opcional.",
  "sign-up.submit": "Crear cuenta",

  "forgot.title": "¿Has olvidado tu contraseña?",
  "forgot.text": "Te enviamos un enlace para elegir una nueva.",
  "forgot.submit": "Enviar el enlace",
  "forgot.no-mail": "El correo no está configurado",
  "forgot.no-mail-text":
    "Este Snug no puede enviar correo. Pide a quien administra que restablezca tu contraseña.",
  "forgot.sent": "Revisa tu correo",
  "forgot.sent-text": "Si {email} tiene una cuenta aquí, hay un enlace en camino. Vale 15 minutos.",
  "forgot.nothing":
    "¿No hay nada? Mira en el correo no deseado, revisa la dirección o pregunta a quien administra.",
  "forgot.other-address": "Usar otra dirección",

  "reset.title": "Elige una contraseña nueva",
  "reset.whose": "Para @{username}.",
  "reset.password": "Contraseña nueva",
  "reset.password-hint": "Al menos {count} caracteres. Se cerrará tu sesión en todas partes.",
  "reset.submit": "Cambiar contraseña",
  "reset.done": "Contraseña cambiada",
  "reset.done-text":
    "Se ha cerrado tu sesión en todas partes. Inicia sesión con la contraseña nueva.",
  "reset.new-link": "Pedir un enlace nuevo",
  "sign-up.shared":
    "Tienes una invitación. Tu correo hace falta para elegir otra contraseña más adelante.",
  "sign-up.by-provider": "Tienes una invitación. Tu cuenta se crea al iniciar sesión.",
  "sign-up.welcome-toast": "Te damos la bienvenida a {team}",
  "sign-in.username": "Nombre de usuario o correo",
  "sign-in.forgot": "¿Has olvidado tu contraseña?",
  "sign-in.no-account": "¿Aún no tienes cuenta? Pide un enlace de registro a quien administra.",
  "sign-in.empty":
    "Aún no hay nadie aquí. ¿Acabas de instalar Snug? El enlace de la primera cuenta está en el registro de inicio.",
});
