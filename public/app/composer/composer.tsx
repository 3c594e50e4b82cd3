import { SendHorizontal, Smile } from "lucide";
import type { RefObject } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { MAX_CONTENT_LENGTH } from "../../../src/wire/limits.ts";
import type { MyRoom } from "../../../src/wire/models.ts";
import { hasVisible } from "../../../src/wire/visible.ts";
import { store, uploads } from "../session/store.ts";
import { IconButton } from "../parts/button.tsx";
import { lazy } from "../parts/lazy.tsx";
import { LazyPicker } from "../parts/emoji/lazy-picker.tsx";
import { insertAtCaret } from "../parts/edit-text-area.ts";
import { wrote } from "../state/model.ts";
import { AttachButton, pasteFiles } from "./attach-button.tsx";
import { editing } from "./editing.ts";
import { useDraft } from "./use-draft.ts";
import { markRead } from "../session/mark-read.ts";
import { WritingArea } from "./writing-area.tsx";
import { t } from "../words/translate.ts";

const UploadTray = lazy("deferred", () => import("./upload-tray.tsx").then((m) => m.UploadTray), {
  quiet: true,
});
const TYPING_EVERY_MS = 2_500;

/** Writes and sends messages. Each room has a draft, which survives reloads. */
export function Composer({ room }: { room: MyRoom }) {
  const [text, change] = useDraft(room.id);
  const [isFull, setFull] = useState(false);
  const ref = useRef<HTMLTextAreaElement>(null);
  const typedAt = useRef(0);
  useEffect(() => {
    // On a phone, the focus would open the keyboard.
    if (matchMedia("(pointer: fine)").matches) ref.current?.focus();
  }, [room.id]);

  const length = [...text].length;
  const tooLong = length > MAX_CONTENT_LENGTH;
  const attached = uploads.of(room.id);
  const isUploading = attached.some((upload) => !upload.stored && !upload.problem);
  const hasSomething = hasVisible(text) || attached.some((upload) => upload.stored);
  const ready = hasSomething && !tooLong && !isUploading;
  const send = () => {
    if (!ready) return;
    const isTooMuch = !store.hasOutboxSpace(Math.max(1, attached.length), text.length);
    setFull(isTooMuch);
    if (isTooMuch) return;
    const [first, ...others] = uploads.take(room.id);
    store.post(room.id, text, first);
    // A message has one image and one file; further ones are sent as messages after it.
    for (const other of others) store.post(room.id, "", other);
    change("");
    ref.current?.focus();
  };
  const onText = (next: string) => {
    change(next);
    setFull(false);
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
      {attached.length > 0 && <UploadTray uploads={attached} />}
      <div class="box">
        <AttachButton roomId={room.id} />
        <WritingArea
          roomId={room.id}
          label={t("composer.message", { room: room.name })}
          placeholder={t("composer.message", { room: room.name })}
          rows={1}
          area={ref}
          text={text}
          onText={onText}
          onEnter={send}
          onKey={(event) => {
            if (event.key === "ArrowUp" && text === "" && editLast(room)) event.preventDefault();
            if (event.key === "Escape") markRead(room);
          }}
          onPaste={(event) => pasteFiles(room.id, event)}
        />
        <EmojiButton area={ref} />
        <IconButton
          icon={SendHorizontal}
          label={t("composer.send")}
          disabled={!ready}
          onClick={send}
        />
      </div>
      {tooLong && (
        <p class="error" role="alert">
          {t("composer.too-long", { count: length - MAX_CONTENT_LENGTH })}
        </p>
      )}
      {isFull && (
        <p class="error" role="alert">
          {t("composer.full")}
        </p>
      )}
    </form>
  );
}

/** Inserts an emoji at the caret. Hidden on phones, whose keyboards have emoji. */
function EmojiButton({ area }: { area: RefObject<HTMLTextAreaElement | null> }) {
  const [open, setOpen] = useState(false);
  const wrap = useRef<HTMLSpanElement>(null);
  return (
    <span ref={wrap} class="emoji-button">
      <IconButton
        icon={Smile}
        label={t("composer.emoji")}
        expanded={open}
        onClick={() => setOpen(!open)}
      />
      {open && wrap.current && (
        <LazyPicker
          anchor={wrap.current}
          onPick={(emoji) => area.current && insertAtCaret(area.current, emoji)}
          onClose={() => {
            setOpen(false);
            area.current?.focus();
          }}
        />
      )}
    </span>
  );
}

/** Edits the reader's last message. @returns false if there is none */
function editLast(room: MyRoom): boolean {
  const me = store.me.value;
  const last = store.state.value.views[room.id]?.messages.findLast((m) => wrote(me, m));
  if (last) editing.value = last.id;
  return last !== undefined;
}
