import { compileMessages } from "../compile.ts" with { type: "macro" };

/** Texts used in many places, the sign-in, and the client's own errors. */
export const common = compileMessages({
  close: "Close",
  copied: "Copied",
  delete: "Delete",
  edit: "Edit",
  email: "Email",
  loading: "Loading",
  password: "Password",
  "try-again": "Try again",
  username: "Username",

  online: "online",
  offline: "offline",

  when: "{day}, {time}",

  "part.missing": "Some of Snug didn't load. You can still read and write.",
  "part.failed": "This part didn't load",
  "part.failed-text": "Everything else still works. Try again.",
  "part.not-loaded-text": "Check your connection and try again.",
  "part.reload": "Reload page",

  "unreachable.title": "Can't reach Snug",
  "unreachable.text": "Check your connection. What you wrote is saved.",

  "error.offline": "Can't reach Snug. Check your connection.",
  "error.not-answering": "Snug isn't responding properly. Try again.",
  "error.interrupted": "The upload was interrupted. Check your connection.",
  "error.not-uploaded": "The upload failed. Try again.",
  "error.over-limit": "The file is too large.",
  "error.unknown": "Something went wrong. Try again.",
});
