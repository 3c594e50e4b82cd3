import { compileMessages } from "../compile.ts" with { type: "macro" };
import type { threads as english } from "../en/threads.ts";

/** Threads, quotes, and their settings. */
export const threads = compileMessages<Record<keyof typeof english, string>>({
  "message.quote": "Mit Zitat antworten",
  "thread.replies": "{count, plural, one {# Antwort} other {# Antworten}}",
  "thread.is-done": "Erledigt",
  "thread.reply": "In einem Thread antworten",
  "thread.open": "Thread öffnen",
  "thread.unread-from": "Ab hier als ungelesen markieren",
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
  "thread.name-label": "Titel",
  "thread.name-hint":
    "Unter dem Titel wird der Thread aufgelistet, gefunden und verlinkt. Leer lassen für keinen Titel.",
  "quote.upload": "ein Bild oder eine Datei",
  "quote.remove": "Zitat entfernen",
  "threads.text":
    "Unterhaltungen, die du begonnen hast, in denen du geantwortet hast oder erwähnt wurdest",
  "threads.new": "Mit neuen Antworten",
  "threads.new-replies": "{count, plural, one {# neue Antwort} other {# neue Antworten}}",
  "threads.earlier": "Früher",
  "threads.filter": "Anzeigen",
  "threads.following": "Threads, denen du folgst",
  "threads.unread": "Nur mit neuen Antworten",
  "threads.room": "Alle Threads in #{room}",
  "threads.none-following": "Noch keine Threads",
  "threads.none-unread": "Du hast alle Antworten gelesen",
  "threads.none-room": "In diesem Raum gibt es noch keine Threads",
  "threads.none-text":
    "Antworte auf eine Nachricht in ihrem Thread, dann findest du die Antworten hier.",
  "threads.read-all": "Alle als gelesen markieren",
  "threads.all-read": "Alle Threads sind gelesen",
  "threads.in-full": "Antworten in Räumen ganz zeigen, auf diesem Gerät",
  "threads.in-full-hint":
    "Sonst werden aufeinanderfolgende Antworten zu einer Zeile zusammengefasst.",
  "room.threads-on": "Mitglieder können Threads beginnen",
  "room.threads-off": "Keine neuen Threads, nur Zitate",
  "notify.replies": "Auch Antworten in Threads, denen du nicht folgst",
  "notify.replies-on": "Du wirst über alle Antworten in #{room} benachrichtigt",
  "notify.replies-off":
    "Du wirst über Antworten in Threads benachrichtigt, denen du in #{room} folgst",
  "read-all.title": "Alles als gelesen markieren?",
  "read-all.text":
    "Alle Räume und alle Threads, denen du folgst, gelten dann als gelesen. Das lässt sich nicht rückgängig machen.",
  "read-all.action": "Alles als gelesen markieren",
});
