import { compileMessages } from "../compile.ts" with { type: "macro" };

/** Signing up, and choosing a new password. */
export const signIn = compileMessages({
  "sign-in.dead-link": "This link doesn't work",
  "sign-in.to-signin": "Go to sign in",
  "sign-in.back": "Back to sign in",
  "sign-in.at-least": "At least {count} characters.",

  "sign-up.welcome": "Welcome to your Snug",
  "sign-up.title": "Welcome to {team}",
  "sign-up.first": "You're the first one here, so this account is the administrator.",
  "sign-up.invited": "Invited as {email}.",
  "sign-up.username-hint": "Letters, digits, dots and dashes. People mention you by this name.",
  "sign-up.display-name-hint": "The name other people see. Optional.",
  "sign-up.submit": "Create account",

  "forgot.title": "Forgot your password?",
  "forgot.text": "We'll email you a link to choose a new one.",
  "forgot.submit": "Send link",
  "forgot.no-mail": "Email is not set up",
  "forgot.no-mail-text": "This Snug can't send email. Ask an administrator to reset your password.",
  "forgot.sent": "Check your email",
  "forgot.sent-text":
    "If {email} has an account here, a link is on its way. It works for 15 minutes.",
  "forgot.nothing":
    "Nothing there? Check your spam folder and the address, or ask an administrator.",
  "forgot.other-address": "Use another address",

  "reset.title": "Choose a new password",
  "reset.whose": "For @{username}.",
  "reset.password": "New password",
  "reset.password-hint": "At least {count} characters. You'll be signed out everywhere.",
  "reset.submit": "Change password",
  "reset.done": "Password changed",
  "reset.done-text": "You were signed out everywhere. Sign in with your new password.",
  "reset.new-link": "Request a new link",
  "sign-up.shared": "You are invited. Your email is needed to choose a new password later.",
  "sign-up.by-provider": "You are invited. Your account is made when you sign in.",
  "sign-up.welcome-toast": "Welcome to {team}",
  "sign-in.username": "Username or email",
  "sign-in.forgot": "Forgot your password?",
  "sign-in.no-account": "No account yet? Ask an administrator for a signup link.",
  "sign-in.empty":
    "Nobody is here yet. Did you just install Snug? Its start log has the link for the first account.",
});
