import type { RefObject } from "preact";
import { useEffect, useId, useLayoutEffect, useRef, useState } from "preact/hooks";
import { store } from "../session/store.ts";
import { emojiData, loadEmoji } from "../parts/emoji/load.ts";
import { noteEmoji } from "../parts/emoji/recent.ts";
import { replaceText } from "../parts/edit-text-area.ts";
import {
  type Asked,
  askedAt,
  type Candidate,
  closeGap,
  insertCompletion,
  memberCandidates,
  roomCandidates,
} from "../state/completion.ts";
import { roomList } from "../state/model.ts";
import { CompletionList } from "./completion-list.tsx";
import { offerBroadcasts } from "./broadcast.ts";

const MAX_EMOJI = 8;
/** How many people the list shows without scrolling, together with `@room` and `@here`. */
const MAX_MENTIONS = 6;

type CompletionProps = {
  roomId: string;
  text: string;
  caret: number;
  onCaret(caret: number): void;
  area: RefObject<HTMLTextAreaElement | null>;
  /** Set to what handles the keys of the text area first: true if the list has taken one. */
  keys: { current: ((event: KeyboardEvent) => boolean) | null };
};

/** Completions of the name at the caret: arrows choose, Enter or Tab inserts, Esc closes. */
export function Completion({ roomId, text, caret, onCaret, area, keys }: CompletionProps) {
  const id = useId();
  const [index, setIndex] = useState(0);
  const [closedFor, setClosedFor] = useState<number | null>(null);
  /** Where the caret was after the last completion. */
  const completed = useRef<number | null>(null);
  const asked = askedAt(text, caret);
  const isOpen = asked !== null && asked.from !== closedFor;
  useEffect(() => {
    setIndex(0);
    if (asked?.kind === "emoji") void loadEmoji();
  }, [asked?.kind, asked?.query]);
  useEffect(
    () => (asked?.kind === "mention" ? store.sync.members.watch(roomId) : undefined),
    [asked?.kind, roomId],
  );
  const items = isOpen ? candidates(roomId, asked) : [];
  const chosen = items[index];
  const take = (item: Candidate) => {
    if (!asked || !area.current) return;
    if (asked.kind === "emoji") noteEmoji(item.insert);
    const { text: next, caret } = insertCompletion(text, asked, item);
    replaceText(area.current, { text: next, start: caret, end: caret });
    onCaret(caret);
    completed.current = caret;
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const isPlain = !event.ctrlKey && !event.metaKey && !event.altKey;
    const closed = isPlain && closeGap(text, caret, event.key, completed.current);
    if (closed && area.current) {
      event.preventDefault();
      replaceText(area.current, closed);
      return true;
    }
    if (!asked || !chosen) return false;
    const steps: Record<string, number> = { ArrowDown: 1, ArrowUp: -1 };
    const step = steps[event.key];
    if (step !== undefined) setIndex((index + step + items.length) % items.length);
    else if ((event.key === "Enter" && !event.shiftKey) || event.key === "Tab") take(chosen);
    else if (event.key === "Escape") setClosedFor(asked.from);
    else return false;
    event.preventDefault();
    return true;
  };
  const isShown = items.length > 0;
  const active = chosen ? `${id}-${index}` : null;
  // The text area is not rendered here, and a key may follow before the next frame.
  useLayoutEffect(() => {
    keys.current = onKeyDown;
    const field = area.current;
    if (!field) return;
    setAttribute(field, "aria-controls", isShown ? id : null);
    setAttribute(field, "aria-activedescendant", active);
  });
  if (!isShown) return null;
  return (
    <CompletionList
      id={id}
      // On the side with more space.
      isBelow={(area.current?.getBoundingClientRect().top ?? 0) < innerHeight / 2}
      items={items}
      index={index}
      onTake={take}
    />
  );
}

function setAttribute(element: Element, name: string, value: string | null): void {
  if (value === null) element.removeAttribute(name);
  else element.setAttribute(name, value);
}

function candidates(roomId: string, { kind, query }: Asked): Candidate[] {
  const state = store.state.value;
  if (kind === "mention") {
    const all = offerBroadcasts(roomId, query);
    const members = memberCandidates(state.views[roomId]?.members ?? [], query);
    return [...members.slice(0, MAX_MENTIONS - all.length), ...all];
  }
  if (kind === "room") return roomCandidates(roomList(state), query);
  return (emojiData.value?.searchEmoji(query, MAX_EMOJI) ?? []).map((one) => ({
    key: one.emoji,
    insert: one.emoji,
    label: `${one.emoji} ${one.label}`,
    hint: `:${one.names[0] ?? ""}:`,
  }));
}
