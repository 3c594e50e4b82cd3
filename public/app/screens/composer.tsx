import { SendHorizontal } from "lucide";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { MAX_CONTENT_LENGTH } from "../../../src/wire/limits.ts";
import type { MyRoom } from "../../../src/wire/models.ts";
import { store, uploads } from "../app.ts";
import { IconButton } from "../parts/button.tsx";
import { keepDraft, readDraft } from "../state/drafts.ts";
import { wrote } from "../state/model.ts";
import { format } from "../state/formatting.ts";
import { AttachButton, pasteFiles } from "./attachments/attach.tsx";
import { Tray } from "./attachments/tray.tsx";
import { useCompletion } from "./completion.tsx";
import { editing } from "./editing.ts";
import { markRead } from "./use-read-mark.ts";
import { say } from "../words/say.ts";

const TYPING_EVERY_MS = 2_500;
const myId = () => store.me.value?.id ?? "";

/** Where one writes. It never loses a word: drafts are kept for each room, over reloads too. */
export function Composer({ room }: { room: MyRoom }) {
  const [text, setText] = useState(() => readDraft(localStorage, myId(), room.id));
  const ref = useRef<HTMLTextAreaElement>(null);
  const typedAt = useRef(0);
  const selection = useRef<[number, number] | null>(null);
  useEffect(() => {
    // A phone would bring out its keyboard.
    if (matchMedia("(pointer: fine)").matches) ref.current?.focus();
  }, [room.id]);

  const change = (next: string) => {
    setText(next);
    keepDraft(localStorage, myId(), room.id, next);
  };
  const put = (next: string, start: number, end = start) => {
    selection.current = [start, end];
    change(next);
  };
  // Once it is drawn, and before another key: the selection belongs to the new text.
  useLayoutEffect(() => {
    if (selection.current) ref.current?.setSelectionRange(...selection.current);
    selection.current = null;
  }, [text]);
  const completion = useCompletion(room, text, put);
  const length = [...text].length;
  const tooLong = length > MAX_CONTENT_LENGTH;
  const attached = uploads.of(room.id);
  const isUploading = attached.some((upload) => !upload.stored && !upload.problem);
  const hasSomething = text.trim() !== "" || attached.some((upload) => upload.stored);
  const ready = hasSomething && !tooLong && !isUploading;
  const send = () => {
    if (!ready) return;
    const [first, ...others] = uploads.take(room.id);
    store.post(room.id, text, first);
    // A message carries one image and one file: what is more follows it.
    for (const other of others) store.post(room.id, "", other);
    change("");
    ref.current?.focus();
  };
  const onInput = (next: string) => {
    change(next);
    const now = Date.now();
    if (next === "" || now - typedAt.current < TYPING_EVERY_MS) return;
    typedAt.current = now;
    store.typing(room.id);
  };
  return (
    <form
      class="composer"
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    >
      {completion.list}
      <Tray roomId={room.id} />
      <div class="box">
        <AttachButton roomId={room.id} />
        <textarea
          ref={ref}
          rows={1}
          dir="auto"
          {...completion.attributes}
          aria-label={say("composer.message", { room: room.name })}
          placeholder={say("composer.message", { room: room.name })}
          value={text}
          enterkeyhint="enter"
          onPaste={(event) => pasteFiles(room.id, event)}
          onSelect={(event) => completion.setCaret(event.currentTarget.selectionStart)}
          onInput={(event) => {
            completion.setCaret(event.currentTarget.selectionStart);
            onInput(event.currentTarget.value);
          }}
          onKeyDown={(event) => {
            // While composing with an input method, Enter belongs to it.
            if (event.isComposing || completion.onKeyDown(event)) return;
            if (formatSelection(event, put)) return;
            if (event.key === "Enter" && !event.shiftKey && matchMedia("(pointer: fine)").matches) {
              event.preventDefault();
              send();
            }
            if (event.key === "ArrowUp" && text === "" && editLast(room)) event.preventDefault();
            if (event.key === "Escape") markRead(room);
          }}
        />
        <IconButton
          icon={SendHorizontal}
          label={say("composer.send")}
          disabled={!ready}
          onClick={send}
        />
      </div>
      {tooLong && (
        <p class="error" role="alert">
          {say("composer.too-long", { count: length - MAX_CONTENT_LENGTH })}
        </p>
      )}
    </form>
  );
}

/** @returns true if the key was one that formats */
function formatSelection(
  event: KeyboardEvent & { currentTarget: HTMLTextAreaElement },
  put: (text: string, start: number, end: number) => void,
): boolean {
  if (!event.ctrlKey && !event.metaKey) return false;
  const { value: text, selectionStart: start, selectionEnd: end } = event.currentTarget;
  const key = `${event.shiftKey ? "shift+" : ""}${event.key.toLowerCase()}`;
  const formatted = event.altKey ? null : format(key, { text, start, end });
  if (!formatted) return false;
  event.preventDefault();
  put(formatted.text, formatted.start, formatted.end);
  return true;
}

/** Opens the last message of one's own for editing. */
function editLast(room: MyRoom): boolean {
  const me = store.me.value;
  const last = store.state.value.views[room.id]?.messages.findLast((m) => wrote(me, m));
  if (last) editing.value = last.id;
  return last !== undefined;
}
