import { compileMessages } from "../compile.ts" with { type: "macro" };

/** What those read who come by the link of a mail, or have forgotten their password. */
export const gate = compileMessages({
  "gate.dead-link": "This link does not work",
  "gate.to-signin": "Go to sign in",
  "gate.back": "Back to sign in",
  "gate.at-least": "At least {count} characters.",

  "signup.welcome": "Welcome to your Snug",
  "signup.title": "Make your account",
  "signup.first": "You are the first: this account looks after everything.",
  "signup.invited": "Invited as {email}.",
  "signup.username-hint": "Letters, digits, dots, dashes. Others mention you by it.",
  "signup.display-name-hint": "The name that others see. You can leave it out.",
  "signup.submit": "Make account",

  "forgot.title": "Forgot your password?",
  "forgot.text": "We send you a link to choose a new one.",
  "forgot.submit": "Send the link",
  "forgot.no-mail": "No mail goes out here",
  "forgot.no-mail-text":
    "This Snug is not set up to send mail. Ask an administrator to set a new password for you.",
  "forgot.sent": "Look into your mail",
  "forgot.sent-text":
    "If {email} has an account here, a link is on its way. It works for 15 minutes.",
  "forgot.nothing":
    "Nothing there? Look among the spam, check the address, or ask an administrator.",
  "forgot.other-address": "Try another address",

  "reset.title": "Choose a new password",
  "reset.whose": "For @{username}.",
  "reset.password": "New password",
  "reset.password-hint": "At least {count} characters. You are signed out everywhere.",
  "reset.submit": "Change password",
  "reset.done": "Your password is changed",
  "reset.done-text": "You were signed out everywhere. Sign in with the new one.",
  "reset.new-link": "Ask for a new link",
});
