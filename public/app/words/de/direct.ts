import { compileMessages } from "../compile.ts" with { type: "macro" };
import type { direct as english } from "../en/direct.ts";

export const direct = compileMessages<Record<keyof typeof english, string>>({
  "person.deactivated": "deaktiviert",
  "direct.notes": "Notizen an dich",
  "direct.title": "Direktnachrichten",
  "direct.new-key": "Neue Nachricht (Strg Umschalt K)",
  "direct.notes-begin": "Notiz an dich schreiben",
  "direct.notes-text": "Nur du siehst das",
  "direct.people": "{count, plural, one {# Person} other {# Personen}}",
  "direct.actions": "Aktionen für diese Unterhaltung",
  "direct.hide-one": "{name} bis zur nächsten Nachricht ausblenden",
  "direct.add": "Personen hinzufügen",
  "direct.deactivated": "Das Konto von {name} ist deaktiviert. Du kannst weiter lesen.",
  "direct.all-left": "Alle anderen sind gegangen. Du kannst weiter lesen.",
  "direct.unknown": "Du bist nicht in dieser Unterhaltung",
  "direct.unknown-text": "Es gibt sie nicht, oder du hast sie verlassen.",
  "direct.to-all": "Zu deinen Direktnachrichten",
});
