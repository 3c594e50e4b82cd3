import { compileMessages } from "../compile.ts" with { type: "macro" };
import type { threads as english } from "../en/threads.ts";

/** Threads, quotes, and their settings. */
export const threads = compileMessages<Record<keyof typeof english, string>>({
  "message.quote": "Mit Zitat antworten",
  "thread.replies": "{count, plural, one {# Antwort} other {# Antworten}}",
  "thread.is-done": "Erledigt",
  "thread.reply": "In einem Thread antworten",
  "thread.title": "Thread",
  "thread.close": "Thread schließen",
  "thread.back": "Zurück zum Raum",
  "thread.messages": "Antworten im Thread",
  "thread.none": "Noch keine Antworten",
  "thread.gone": "Diesen Thread gibt es nicht mehr",
  "thread.gone-text":
    "Seine erste Nachricht wurde gelöscht, oder es gab ihn nie. Schließe ihn, um im Raum weiterzulesen.",
  "thread.actions": "Aktionen für diesen Thread",
  "thread.done": "Als erledigt markieren",
  "thread.reopen": "Wieder öffnen",
  "thread.follow": "Thread folgen",
  "thread.followed": "Neue Antworten siehst du unter „Threads“",
  "thread.unfollow": "Thread nicht mehr folgen",
  "thread.unfollowed": "Du folgst diesem Thread nicht mehr, außer jemand erwähnt dich darin",
  "thread.name": "Titel des Threads",
  "quote.upload": "ein Bild oder eine Datei",
  "quote.remove": "Zitat entfernen",
  "threads.in-full": "Antworten in Räumen ganz zeigen, auf diesem Gerät",
  "threads.in-full-hint":
    "Sonst werden aufeinanderfolgende Antworten zu einer Zeile zusammengefasst.",
  "notify.replies": "Auch Antworten in Threads, denen du nicht folgst",
  "notify.replies-on": "Du wirst über alle Antworten in #{room} benachrichtigt",
  "notify.replies-off":
    "Du wirst über Antworten in Threads benachrichtigt, denen du in #{room} folgst",
});
