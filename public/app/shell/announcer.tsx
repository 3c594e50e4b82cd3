import { useEffect, useState } from "preact/hooks";
import { toPlainText } from "../../../src/wire/markdown/plain.ts";
import type { Message } from "../../../src/wire/models.ts";
import { store } from "../session/store.ts";
import { isAuthor } from "../state/model/model.ts";
import { senderOf } from "../messages/message-author.tsx";
import { formatList, t } from "../words/translate.ts";
import { keepFocusInLists } from "./keep-focus.ts";
import { useFavicon } from "./use-favicon.ts";
import { useSounds } from "./use-sounds.ts";

/** Messages that arrive within this time are announced together. */
const GATHER_MS = 1_000;
/** The pause between announcements, so that a user of a screen reader can read and write. */
const PAUSE_MS = 6_000;
const MAX_LETTERS = 240;
const MAX_NAMES = 3;

/**
 * Announces to screen readers what others write in the open room: one message with its text,
 * several by number and author. Earlier messages are not announced.
 */
export function Announcer() {
  const [announced, setAnnounced] = useState({ text: "", count: 0 });
  useSounds();
  useFavicon();
  useEffect(keepFocusInLists, []);
  useEffect(() => {
    let gathered: Message[] = [];
    let timer: ReturnType<typeof setTimeout> | undefined;
    const speak = () => {
      timer = undefined;
      // Messages of a room that was left are not announced.
      const here = store.sync.roomId;
      const text = wordsFor(gathered.filter((message) => message.room_id === here));
      gathered = [];
      if (!text) return;
      setAnnounced(({ count }) => ({ text, count: count + 1 }));
      timer = setTimeout(speak, PAUSE_MS);
    };
    const end = store.onEvent((event) => {
      if (event.type !== "message" || !store.sync.isNews(event)) return;
      if (isAuthor(store.me.peek(), event.message)) return;
      gathered.push(event.message);
      timer ??= setTimeout(speak, GATHER_MS);
    });
    return () => {
      end();
      clearTimeout(timer);
    };
  }, []);
  return (
    <div class="announcer visually-hidden" role="status">
      {/* A new element each time, so that a repeated text is announced again. */}
      <p key={announced.count} dir="auto">
        {announced.text}
      </p>
    </div>
  );
}

function wordsFor(messages: Message[]): string | null {
  const [first, ...others] = messages;
  if (!first) return null;
  if (others.length === 0) return wordsOf(first);
  const names = [...new Set(messages.map(senderOf))];
  const count = messages.length;
  if (names.length > MAX_NAMES) return t("announce.many", { count });
  return t("announce.some", { count, names: formatList(names) });
}

function wordsOf(message: Message): string {
  const name = senderOf(message);
  const text = [...toPlainText(message.content ?? "")];
  if (text.length === 0) {
    return message.image ? t("announce.image", { name }) : t("announce.file", { name });
  }
  const start = text.slice(0, MAX_LETTERS).join("");
  const excerpt = text.length > MAX_LETTERS ? `${start}…` : start;
  const title = message.root && (message.root.title ?? message.root.excerpt);
  // A reply is announced with its thread's title, because the room folds replies into one line.
  return title
    ? t("announce.reply", { name, title, text: excerpt })
    : t("name-and-text", { name, text: excerpt });
}
