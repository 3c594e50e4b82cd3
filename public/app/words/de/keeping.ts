import { compileMessages } from "../compile.ts" with { type: "macro" };
import type { keeping as english } from "../en/keeping.ts";

/** Pins, saved messages and reminders, scheduled messages and drafts. */
export const keeping = compileMessages<Record<keyof typeof english, string>>({
  "pin.pin": "Nachricht anheften",
  "pin.unpin": "Nachricht lösen",
  "pin.is-pinned": "Nachricht angeheftet",
  "pin.is-unpinned": "Nachricht gelöst",
  "pin.undone": "Rückgängig gemacht",
  "pin.who": "Angeheftet von {name}",
  "pin.by": "Angeheftet von {name}, {when}",
  "pin.newest": "Zuletzt angeheftete Nachricht",
  "pin.no-text": "Bild oder Datei",
  "pin.all": "{count, plural, one {# angeheftet} other {Alle # angehefteten}}",
  "pin.count":
    "{count, plural, one {# angeheftete Nachricht} other {Alle # angehefteten Nachrichten}} zeigen",
  "pin.fold": "Ausblenden, bis Neues angeheftet wird",
  "pin.title": "Angeheftete Nachrichten",
  "pin.close": "Angeheftete Nachrichten schließen",
  "pin.none": "Hier ist nichts angeheftet. Drücke P auf einer Nachricht, um sie anzuheften.",
  "pin.setting": "Wer Nachrichten anheften kann",
  "pin.members": "Alle Mitglieder",
  "pin.admins": "Nur Besitz und Admins",
  "unread.mark": "Ab hier als ungelesen markieren",
  "unread.done": "Ab hier ungelesen. Esc markiert alles als gelesen.",
});
