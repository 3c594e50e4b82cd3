import { compileMessages } from "../compile.ts" with { type: "macro" };

/** Threads, quotes, and their settings. */
export const threads = compileMessages({
  "message.quote": "Reply with a quote",
  "thread.replies": "{count, plural, one {# reply} other {# replies}}",
  "thread.is-done": "Done",
  "thread.reply": "Reply in a thread",
  "thread.title": "Thread",
  "thread.close": "Close the thread",
  "thread.back": "Back to the room",
  "thread.messages": "Replies in the thread",
  "thread.none": "No replies yet",
  "thread.gone": "This thread is gone",
  "thread.gone-text":
    "Its first message was deleted, or it never existed. Close it to return to the room.",
  "thread.actions": "Actions for this thread",
  "thread.done": "Mark as done",
  "thread.reopen": "Open again",
  "thread.follow": "Follow the thread",
  "thread.followed": "You'll see new replies under Threads",
  "thread.unfollow": "Stop following the thread",
  "thread.unfollowed": "You no longer follow this thread, unless someone mentions you in it",
  "thread.name": "Title of the thread",
  "quote.upload": "an image or a file",
  "quote.remove": "Remove the quote",
  "threads.in-full": "Show replies in full in rooms, on this device",
  "threads.in-full-hint": "When off, consecutive replies collapse into one line.",
  "notify.replies": "Also replies in threads you don't follow",
  "notify.replies-on": "You'll be notified about all replies in #{room}",
  "notify.replies-off": "You'll be notified about replies in threads you follow in #{room}",
});
