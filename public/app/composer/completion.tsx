import type { RefObject } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { store } from "../session/store.ts";
import { emojiData, loadEmoji } from "../parts/emoji/load-emoji.ts";
import { addRecentEmoji } from "../parts/emoji/recent.ts";
import { ComboboxList, useCombobox } from "../parts/combobox.tsx";
import { Icon } from "../parts/icon.tsx";
import { Avatar, currentUser } from "../session/person.tsx";
import { replaceText } from "../parts/edit-text-area.ts";
import {
  type CompletionQuery,
  completionQueryAt,
  type Candidate,
  closeGap,
  insertCompletion,
  memberCandidates,
  roomCandidates,
} from "../state/composer/completion-candidates.ts";
import { roomList } from "../state/model/model.ts";
import { offerBroadcasts } from "./broadcast.tsx";
import { t } from "../words/translate.ts";

const MAX_EMOJI = 8;
/** How many people the list shows without scrolling, together with `@room` and `@here`. */
const MAX_MENTIONS = 6;

type CompletionProps = {
  roomId: string;
  text: string;
  caret: number;
  onCaret(caret: number): void;
  area: RefObject<HTMLTextAreaElement | null>;
  /**
   * Set to the handler that receives the text area's keys first; it returns true for keys that it
   * has handled.
   */
  keys: { current: ((event: KeyboardEvent) => boolean) | null };
};

/** Completions of the name at the caret: arrows choose, Enter or Tab inserts, Esc closes. */
export function Completion({ roomId, text, caret, onCaret, area, keys }: CompletionProps) {
  const [closedFor, setClosedFor] = useState<number | null>(null);
  /** Where the caret was after the last completion. */
  const completed = useRef<number | null>(null);
  const request = completionQueryAt(text, caret);
  const isOpen = request !== null && request.from !== closedFor;
  useEffect(() => {
    combobox.reset();
    if (request?.kind === "emoji") void loadEmoji();
    if (request?.kind === "mention") store.sync.members.retry(roomId);
  }, [request?.kind, request?.query]);
  useEffect(
    () => (request?.kind === "mention" ? store.sync.members.watch(roomId) : undefined),
    [request?.kind, roomId],
  );
  const items = isOpen ? candidates(roomId, request) : [];
  const combobox = useCombobox(items, (item) => {
    if (!request || !area.current) return;
    if (request.kind === "emoji") addRecentEmoji(item.insert);
    const { text: next, caret } = insertCompletion(text, request, item);
    replaceText(area.current, { text: next, start: caret, end: caret });
    onCaret(caret);
    completed.current = caret;
  });
  const onKeyDown = (event: KeyboardEvent) => {
    const isPlain = !event.ctrlKey && !event.metaKey && !event.altKey;
    const closed = isPlain && closeGap(text, caret, event.key, completed.current);
    if (closed && area.current) {
      event.preventDefault();
      replaceText(area.current, closed);
      return true;
    }
    // Shift+Enter inserts a line break.
    if (event.key === "Enter" && event.shiftKey) return false;
    if (combobox.onKeyDown(event)) return true;
    const marked = items[combobox.index];
    if (!request || !marked) return false;
    if (event.key === "Tab") combobox.choose(marked);
    else if (event.key === "Escape") setClosedFor(request.from);
    else return false;
    event.preventDefault();
    return true;
  };
  // The text area is rendered elsewhere, and a key may be pressed before the next frame.
  useLayoutEffect(() => {
    keys.current = onKeyDown;
    const field = area.current;
    if (!field) return;
    setAttribute(field, "aria-controls", combobox.listId);
    setAttribute(field, "aria-activedescendant", combobox.markedId);
  });
  useLayoutEffect(
    () => () => {
      area.current?.removeAttribute("aria-controls");
      area.current?.removeAttribute("aria-activedescendant");
    },
    [],
  );
  if (items.length === 0) return null;
  const isBelow = (area.current?.getBoundingClientRect().top ?? 0) < innerHeight / 2;
  return (
    <ComboboxList
      combobox={combobox}
      label={t("composer.suggestions")}
      class={`completion absolute scroll raised stack framed ${isBelow ? "below" : ""}`}
      optionClass="row rounded control"
      keyOf={(item) => item.key}
    >
      {(item) => <CandidateContent item={item} />}
    </ComboboxList>
  );
}

function CandidateContent({ item }: { item: Candidate }) {
  return (
    <>
      {item.user && <Avatar user={item.user} size={24} />}
      {item.icon && (
        <span class="broadcast-mark grid rigid middle">
          <Icon of={item.icon} />
        </span>
      )}
      <span class="truncate">{item.label}</span>
      <span class="muted small truncate">{item.hint}</span>
    </>
  );
}

function setAttribute(element: Element, name: string, value: string | null): void {
  if (value === null) element.removeAttribute(name);
  else element.setAttribute(name, value);
}

function candidates(roomId: string, { kind, query }: CompletionQuery): Candidate[] {
  const state = store.state.value;
  if (kind === "mention") {
    const all = offerBroadcasts(roomId, query);
    const loadedMembers = state.views[roomId]?.members ?? [];
    const current = loadedMembers.map((member) => ({ ...member, user: currentUser(member.user) }));
    const members = memberCandidates(current, query);
    return [...members.slice(0, MAX_MENTIONS - all.length), ...all];
  }
  if (kind === "room") return roomCandidates(roomList(state), query);
  return (emojiData.value?.searchEmoji(query, MAX_EMOJI) ?? []).map((emoji) => ({
    key: emoji.emoji,
    insert: emoji.emoji,
    label: `${emoji.emoji} ${emoji.label}`,
    hint: `:${emoji.names[0] ?? ""}:`,
  }));
}
