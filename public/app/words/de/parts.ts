import { compileMessages } from "../compile.ts" with { type: "macro" };
import type { parts as english } from "../en/parts.ts";

export const parts = compileMessages<Record<keyof typeof english, string>>({
  "sign-out": "Abmelden",

  "image.download": "Herunterladen",
  "files.download": "{name} herunterladen",
  "size.bytes": "{count, plural, one {# Byte} other {# Byte}}",
  "timeline.count-new": "{count, plural, one {# neue} other {# neue}}",
  "timeline.to-latest": "Zum Neuesten",
  "timeline.new-since": "Neu seit {when}",
  "timeline.new-count": "{count} neu seit {when}",
  "timeline.dismiss-new": "Als gelesen markieren",
  "timeline.someone": "Jemand",
  "timeline.several-type": "Mehrere Personen schreiben …",
  "timeline.type": "{count, plural, one {{names} schreibt …} other {{names} schreiben …}}",
  "message.not-sent": "nicht gesendet",
  "message.sending": "wird gesendet …",
  "message.retrying": "noch nicht gesendet, wird weiter versucht",
  "message.discard": "Verwerfen",
  "key.shift": "Umschalt",
});
