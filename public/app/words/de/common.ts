import { compileMessages } from "../compile.ts" with { type: "macro" };
import type { common as english } from "../en/common.ts";

export const common = compileMessages<Record<keyof typeof english, string>>({
  close: "Schließen",
  copied: "Kopiert",
  delete: "Löschen",
  edit: "Bearbeiten",
  email: "E-Mail",
  loading: "Lädt",
  password: "Passwort",
  "try-again": "Erneut versuchen",
  username: "Benutzername",

  online: "online",
  offline: "offline",

  when: "{day}, {time}",

  "part.missing": "Ein Teil von Snug wurde nicht geladen. Du kannst weiter lesen und schreiben.",
  "part.failed": "Dieser Teil wurde nicht geladen",
  "part.failed-text": "Alles andere läuft weiter. Versuche es noch einmal.",
  "part.not-loaded-text": "Prüfe deine Verbindung und versuche es noch einmal.",
  "part.reload": "Seite neu laden",

  "unreachable.title": "Snug ist nicht erreichbar",
  "unreachable.text": "Prüfe deine Verbindung. Was du geschrieben hast, bleibt erhalten.",

  "error.offline": "Snug ist nicht erreichbar. Prüfe deine Verbindung.",
  "error.not-answering": "Snug antwortet nicht richtig. Versuche es noch einmal.",
  "error.interrupted": "Das Hochladen wurde unterbrochen. Prüfe deine Verbindung.",
  "error.not-uploaded": "Das Hochladen ist fehlgeschlagen. Versuche es noch einmal.",
  "error.over-limit": "Die Datei ist zu groß.",
  "error.unknown": "Etwas ist schiefgegangen. Versuche es noch einmal.",
});
