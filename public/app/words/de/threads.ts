import { compileMessages } from "../compile.ts" with { type: "macro" };
import type { threads as english } from "../en/threads.ts";

/** Threads, quotes, and their settings. */
export const threads = compileMessages<Record<keyof typeof english, string>>({
  "thread.replies": "{count, plural, one {# Antwort} other {# Antworten}}",
  "threads.new-replies": "{count, plural, one {# neue Antwort} other {# neue Antworten}}",
  "thread.is-done": "Erledigt",
  "thread.title": "Thread",
  "thread.close": "Thread schließen",
  "thread.messages": "Antworten im Thread",
  "thread.none": "Noch keine Antworten",
  "thread.gone": "Diesen Thread gibt es nicht mehr",
  "thread.gone-text":
    "Seine erste Nachricht wurde gelöscht, oder es gab ihn nie. Schließe ihn, um im Raum weiterzulesen.",
  "thread.actions": "Aktionen für diesen Thread",
  "thread.done": "Als erledigt markieren",
  "thread.reopen": "Wieder öffnen",
  "quote.upload": "ein Bild oder eine Datei",
  "quote.remove": "Zitat entfernen",
  "notify.replies": "Auch Antworten in Threads, denen du nicht folgst",
  "notify.replies-on": "Du wirst über alle Antworten in #{room} benachrichtigt",
  "notify.replies-off":
    "Du wirst über Antworten in Threads benachrichtigt, denen du in #{room} folgst",
});
