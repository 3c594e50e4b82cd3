import { computed, signal, useComputed } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useRef } from "preact/hooks";
import type { Message } from "../../../src/wire/models.ts";
import { store } from "../session/store.ts";
import { isEmojiOnly } from "../parts/emoji/emoji-only.ts";
import type { NameResolver } from "../parts/markdown/inlines.tsx";
import { Markdown } from "../parts/markdown/markdown.tsx";
import { fullTimeOf } from "../parts/times.ts";
import { roomPath } from "../state/route.ts";
import { placeOf } from "./app-link.tsx";
import { isBroadcast } from "../../../src/wire/limits.ts";
import { currentRoomName, roomList } from "../state/model/model.ts";
import { mentionsMe } from "../state/model/unread.ts";
import { t } from "../words/translate.ts";

/** The text of a message, with links for names of people and rooms that the reader can open. */
export function MessageBody({ message }: { message: Message }) {
  const { content, edited_at } = message;
  if (message.deleted_at) return <p class="muted">{t("message.was-deleted")}</p>;
  if (!content && !edited_at) return null;
  const edited = edited_at && (
    <span class="edited muted tiny" data-tooltip={fullTimeOf(edited_at)}>
      {t("message.edited")}
    </span>
  );
  const text = content ? (
    <Markdown text={content} resolver={resolverFor(message)} end={edited} />
  ) : (
    edited
  );
  if (content && isLong(content)) {
    return (
      <LongText id={message.id} codeLines={codeLinesOf(content)}>
        {text}
      </LongText>
    );
  }
  return (
    <div class={`content ${content && isEmojiOnly(content) ? "only-emoji" : ""}`} dir="auto">
      {text}
    </div>
  );
}

/** The lines of a long text before "Show more", as in the style sheet, and the minimum to hide. */
const COLLAPSED_LINES = 24;
const MIN_HIDDEN_LINES = 6;
/** The approximate length of a full-width line. */
const LINE_CHARACTERS = 90;

/**
 * Whether a text is collapsed at first, estimated from the text alone, so that the layout does not
 * shift after rendering.
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

/** The number of lines in a text's first code block. */
function codeLinesOf(content: string): number {
  return /^```.*\n([\s\S]*?)\n```/m.exec(content)?.[1]?.split("\n").length ?? 0;
}

/**
 * An event that an element in a row dispatches before the reader's action changes its height. The
 * row then stays where it is, even if the list is scrolled to the end and would follow it.
 */
export const ROW_RESIZING = "row-resizing";

/** The long messages that the reader has expanded since the page was loaded. */
const expanded = signal<ReadonlySet<string>>(new Set());

type LongProps = { id: string; codeLines: number; children: ComponentChildren };

function LongText({ id, codeLines, children }: LongProps) {
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
        // Tab has moved to a link in the hidden part, so the browser has scrolled there.
        onScroll={() => !isExpanded && toggle()}
      >
        {children}
      </div>
      <button type="button" class="link" aria-expanded={isExpanded} onClick={toggle}>
        {isExpanded
          ? t("message.show-less")
          : codeLines > COLLAPSED_LINES
            ? t("message.show-code", { count: codeLines })
            : t("show-more")}
      </button>
    </>
  );
}

/** The names of my rooms, joined to a string so that dependents update only when a name changes. */
const roomNames = computed(() =>
  roomList(store.state.value)
    .map((room) => room.name)
    .join(" "),
);

function resolverFor(message: Message): NameResolver {
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
      // Stored names resolve to open rooms only; the reader's private rooms come from the state.
      const isKnown =
        roomNames.value.split(" ").includes(name) ||
        room_references.some((room) => currentRoomName(store.state.peek(), room) === name);
      return isKnown ? roomPath(name) : null;
    },
    place: placeOf,
  };
}
