import { compileMessages } from "../compile.ts" with { type: "macro" };

/** Threads, quotes, and their settings. */
export const threads = compileMessages({
  "thread.replies": "{count, plural, one {# reply} other {# replies}}",
  "threads.new-replies": "{count, plural, one {# new reply} other {# new replies}}",
  "thread.is-done": "Done",
  "thread.title": "Thread",
  "thread.close": "Close the thread",
  "thread.messages": "Replies in the thread",
  "thread.none": "No replies yet",
  "thread.gone": "This thread is gone",
  "thread.gone-text":
    "Its first message was deleted, or it never existed. Close it to return to the room.",
  "thread.actions": "Actions for this thread",
  "thread.done": "Mark as done",
  "thread.reopen": "Open again",
  "quote.upload": "an image or a file",
  "quote.remove": "Remove the quote",
  "notify.replies": "Also replies in threads you don't follow",
  "notify.replies-on": "You'll be notified about all replies in #{room}",
  "notify.replies-off": "You'll be notified about replies in threads you follow in #{room}",
});
