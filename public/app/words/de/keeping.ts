import { compileMessages } from "../compile.ts" with { type: "macro" };
import type { keeping as english } from "../en/keeping.ts";

/** Pins, saved messages and reminders, scheduled messages and drafts. */
export const keeping = compileMessages<Record<keyof typeof english, string>>({
  "pin.who": "Angeheftet von {name}",
  "pin.newest": "Zuletzt angeheftete Nachricht",
  "pin.no-text": "Bild oder Datei",
  "pin.all": "{count, plural, one {# angeheftet} other {Alle # angehefteten}}",
  "pin.fold": "Ausblenden, bis Neues angeheftet wird",
  "until-today": "{time}",
  ahead: "{day} {time}",
  "later.mark": "Für später gemerkt",
  "drafts.no-room": "Ein Raum, in dem du nicht mehr bist",
  "scheduled.menu": "Zu einer anderen Zeit",
  "scheduled.line":
    "{count, plural, one {# Nachricht wird {when} gesendet} other {# Nachrichten werden gesendet, die erste {when}}}",
  "scheduled.late": "Geplant für {when}",
});
