import { computed, signal, useComputed } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useRef } from "preact/hooks";
import type { Message } from "../../../src/wire/models.ts";
import { store } from "../session/store.ts";
import { isEmojiOnly } from "../parts/emoji/emoji-only.ts";
import type { Known } from "../parts/markdown/inlines.tsx";
import { Markdown } from "../parts/markdown/markdown.tsx";
import { fullTimeOf } from "../parts/times.ts";
import { roomPath } from "../state/route.ts";
import { placeOf } from "./app-link.tsx";
import { isBroadcast } from "../../../src/wire/markdown/extract.ts";
import { currentRoomName, roomList } from "../state/model/model.ts";
import { mentionsMe } from "../state/model/unread.ts";
import { t } from "../words/translate.ts";

/** The text of a message, with links for the names that the reader can open. */
export function MessageBody({ message }: { message: Message }) {
  const { content, edited_at } = message;
  if (message.deleted_at) return <p class="muted">{t("message.was-deleted")}</p>;
  if (!content && !edited_at) return null;
  const edited = edited_at && (
    <span class="edited muted tiny" data-tooltip={fullTimeOf(edited_at)}>
      {t("message.edited")}
    </span>
  );
  const text = content ? <Markdown text={content} known={knownIn(message)} end={edited} /> : edited;
  if (content && isLong(content)) return <LongText id={message.id}>{text}</LongText>;
  return (
    <div class={`content ${content && isEmojiOnly(content) ? "only-emoji" : ""}`} dir="auto">
      {text}
    </div>
  );
}

/** The lines of a long text before "Show more", as in the style sheet, and the fewest that it hides. */
const COLLAPSED_LINES = 24;
const MIN_HIDDEN_LINES = 6;
/** About as many as a line holds at its full width; narrower ones hold fewer. */
const LINE_CHARACTERS = 90;

/**
 * Whether a text is collapsed at first. Estimated from the text alone, so that its height is known before
 * it is rendered, and nothing moves.
 */
function isLong(content: string): boolean {
  const max = COLLAPSED_LINES + MIN_HIDDEN_LINES;
  if (content.length < max) return false;
  let lines = 0;
  for (const line of content.split("\n")) {
    lines += Math.max(1, Math.ceil(line.length / LINE_CHARACTERS));
    if (lines > max) return true;
  }
  return false;
}

/**
 * The event of an element in a row that is about to change its height at the reader's request. The row then
 * keeps its place, also at the end of the list, which otherwise stays in view.
 */
export const ROW_RESIZING = "row-resizing";

/** The long messages that the reader has expanded since the page was loaded. */
const expanded = signal<ReadonlySet<string>>(new Set());

/** The beginning of a long text, or all of it. */
function LongText({ id, children }: { id: string; children: ComponentChildren }) {
  const content = useRef<HTMLDivElement>(null);
  const isExpanded = useComputed(() => expanded.value.has(id)).value;
  const toggle = () => {
    content.current?.dispatchEvent(new Event(ROW_RESIZING, { bubbles: true }));
    const ids = new Set(expanded.value);
    if (!ids.delete(id)) ids.add(id);
    expanded.value = ids;
  };
  return (
    <>
      <div
        ref={content}
        class={`content ${isExpanded ? "" : "collapsed"}`}
        dir="auto"
        // Tab has gone to a link in the hidden part, which browsers scroll to.
        onScroll={() => !isExpanded && toggle()}
      >
        {children}
      </div>
      <button type="button" class="link" aria-expanded={isExpanded} onClick={toggle}>
        {t(isExpanded ? "message.show-less" : "message.show-more")}
      </button>
    </>
  );
}

/** The names of my rooms in one text: it changes seldom, while the state does with every event. */
const roomNames = computed(() =>
  roomList(store.state.value)
    .map((room) => room.name)
    .join(" "),
);

function knownIn(message: Message): Known {
  const { mentions, broadcast, room_references } = message;
  return {
    mention(username) {
      if (broadcast && isBroadcast(username))
        return mentionsMe(store.me.value, message) ? "me" : "someone";
      const mention = mentions.find((mention) => mention.username === username);
      if (!mention) return null;
      return mention.user_id === store.me.value?.id ? "me" : "someone";
    },
    room(name) {
      // The shared form names open rooms only; the reader's own private rooms are added from the
      // state.
      const isKnown =
        roomNames.value.split(" ").includes(name) ||
        room_references.some((room) => currentRoomName(store.state.peek(), room) === name);
      return isKnown ? roomPath(name) : null;
    },
    place: placeOf,
  };
}
