import type { RefObject } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { deviceDrafts, draftSync, setQuote } from "../session/write-draft.ts";
import { store } from "../session/store.ts";
import { uploads } from "../session/upload-list.ts";
import type { Broadcast, MyRoom } from "../../../src/wire/models.ts";
import { loadRest } from "../parts/load-rest.tsx";
import { showError } from "../session/toasts.ts";
import { draftKey, quoteOfDraft } from "../state/model/draft-copy.ts";

const TYPING_EVERY_MS = 2_500;

/**
 * Posts the text and the files of the composer, with the quoted message, in a room or in one of its
 * threads.
 * @returns false if too many messages wait to be sent
 */
export function postMessage(roomId: string, thread_id: string | null, text: string): boolean {
  const place = draftKey({ roomId, threadId: thread_id });
  const count = Math.max(1, uploads.of(roomId, thread_id).length);
  if (!store.outbox?.entries.hasSpace(count, text.length)) return false;
  const draft = draftSync.value?.post(place);
  const [first, ...others] = uploads.take(roomId, thread_id);
  const quote = quoteOfDraft(deviceDrafts.peek().read(place));
  store.outbox.add(roomId, text, { ...first, quote, thread_id, ...draft });
  // A message has at most one image and one file; the others become messages after it.
  for (const other of others) store.outbox.add(roomId, "", { ...other, thread_id });
  if (quote) setQuote(place, null);
  return true;
}

/** @returns a function that notifies a room that I am typing; it may be called with every key */
export function useTyping(roomId: string): () => void {
  const typedAt = useRef(0);
  return () => {
    const now = Date.now();
    if (now - typedAt.current < TYPING_EVERY_MS) return;
    typedAt.current = now;
    store.typing(roomId);
  };
}

/**
 * Focuses the text area when another room or thread is opened, unless the focus is in the search.
 */
export function useFocus(area: RefObject<HTMLTextAreaElement | null>, place: string): void {
  useEffect(() => {
    // On a phone, the focus would open the keyboard.
    const isSearching = document.activeElement?.closest(".search-panel");
    if (matchMedia("(pointer: fine)").matches && !isSearching) area.current?.focus();
  }, [place]);
}

let isLoading = false;
const SIGN = /@(?:room|here)(?![\w-])/i;

/**
 * As `askBroadcast`, which is loaded for texts with `@room` or `@here`. If the code fails to load,
 * the service decides.
 */
export function sendAsking(
  room: MyRoom,
  text: string,
  send: () => void,
  confirmedBroadcast: Broadcast | null = null,
): void {
  // A second Enter while it loads would send the text twice.
  if (isLoading) return;
  if (!SIGN.test(text)) {
    send();
    return;
  }
  isLoading = true;
  void loadRest()
    .then(({ askBroadcast }) => askBroadcast(room, text, send, confirmedBroadcast), send)
    .finally(() => (isLoading = false));
}

/**
 * Runs a text that is a command, such as `/remind`.
 * @param onDone called when it has run and the text is no longer needed
 * @returns false if it is not a command
 */
export function runCommand(text: string, onDone: () => void): boolean {
  if (!/^\/remind(?=\s|$)/i.test(text)) return false;
  void loadRest()
    .then(({ remindMe }) => remindMe(text))
    .then((isDone) => isDone && onDone())
    .catch(showError);
  return true;
}
