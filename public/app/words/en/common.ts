import { compileMessages } from "../compile.ts" with { type: "macro" };

/** What stands in many places, and what is said before anyone is known. */
export const common = compileMessages({
  cancel: "Cancel",
  close: "Close",
  copied: "Copied",
  delete: "Delete",
  done: "Done",
  edit: "Edit",
  email: "Email",
  loading: "Loading",
  password: "Password",
  save: "Save",
  "sign-in": "Sign in",
  "try-again": "Try again",
  undo: "Undo",
  username: "Username",

  online: "online",
  offline: "offline",

  "size.bytes": "{count, plural, one {# byte} other {# bytes}}",
  when: "{day}, {time}",

  "part.failed": "This part did not load",
  "part.failed-text": "The rest goes on working. Try this part again.",
  "part.not-loaded-text": "Check your connection, then try again.",
  "part.load-again": "Load the page again",

  "unreachable.title": "Snug cannot be reached",
  "unreachable.text": "Check your connection. What you wrote is kept.",
  "replaced.title": "Another account signed in",
  "replaced.text":
    "Someone signed in to another account in this browser, so this tab has stopped. Messages and drafts written here are kept for the account that wrote them.",
  "replaced.go": "Continue with that account",

  "signin.username": "Username or email",
  "signin.forgot": "Forgot your password?",
  "signin.no-account": "No account yet? Ask an administrator of this Snug for a signup link.",

  "error.offline": "Snug cannot be reached. Check your connection.",
  "error.not-answering": "Snug is not answering properly. Try again.",
  "error.broken-off": "The upload broke off. Check your connection.",
  "error.not-uploaded": "The upload did not work. Try again.",
  "error.over-limit": "The file is too large.",
  "error.unknown": "That did not work. Try again.",
});
