import { SendHorizontal } from "lucide";
import { useEffect, useRef, useState } from "preact/hooks";
import { MAX_CONTENT_LENGTH } from "../../../src/wire/limits.ts";
import type { MyRoom } from "../../../src/wire/models.ts";
import { hasVisible } from "../../../src/wire/visible.ts";
import { store } from "../session/store.ts";
import { uploads } from "../session/uploads.ts";
import { IconButton } from "../parts/button.tsx";
import { describeWriting } from "../parts/place-label.ts";
import { AttachButton, pasteFiles } from "./attach-button.tsx";
import { sendAsking } from "./load-broadcast.ts";
import { editLast } from "./editing.ts";
import { EmojiButton } from "./emoji-button.tsx";
import {
  ComposerNotes,
  FormatBar,
  PasteOffer,
  runCommand,
  SendMenu,
  UploadTray,
} from "./extras.tsx";
import { FormatToggle, hasFormatBar } from "./format-toggle.tsx";
import { getWritingTools } from "./load-tools.ts";
import type { PastedCode } from "./paste.ts";
import { useDraft } from "./use-draft.ts";
import { markRead } from "../session/mark-read.ts";
import { WritingArea } from "./writing-area.tsx";
import { t } from "../words/translate.ts";

const TYPING_EVERY_MS = 2_500;

type ComposerProps = {
  room: MyRoom;
  /** Of a conversation that is not begun: its first message and its first files begin it. */
  begin?: { send(text: string): Promise<boolean>; attach(files: Iterable<File>): void };
};

/** Writes and sends messages. Each room has a draft, which survives reloads. */
export function Composer({ room, begin }: ComposerProps) {
  const [text, change] = useDraft(room.id);
  const [isFull, setFull] = useState(false);
  const [pasted, setPasted] = useState<PastedCode | null>(null);
  const ref = useRef<HTMLTextAreaElement>(null);
  const typedAt = useRef(0);
  useEffect(() => {
    // On a phone, the focus would open the keyboard.
    const isSearching = document.activeElement?.closest(".search-panel");
    if (matchMedia("(pointer: fine)").matches && !isSearching) ref.current?.focus();
  }, [room.id]);

  const length = [...text].length;
  const tooLong = length > MAX_CONTENT_LENGTH;
  const problem = tooLong
    ? t("composer.too-long", { count: length - MAX_CONTENT_LENGTH })
    : isFull && t("composer.full");
  const attached = uploads.of(room.id);
  const isUploading = attached.some((upload) => !upload.stored && !upload.problem);
  const hasSomething = hasVisible(text) || attached.some((upload) => upload.stored);
  const ready = hasSomething && !tooLong && !isUploading;
  const send = () => {
    if (!ready || (!begin && runCommand(text, () => change("")))) return;
    sendAsking(room, text, post);
  };
  const post = () => {
    if (begin) {
      void begin.send(text).then((isSent) => isSent && change(""));
      return;
    }
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
    setPasted(null);
    const now = Date.now();
    if (begin || next === "" || now - typedAt.current < TYPING_EVERY_MS) return;
    typedAt.current = now;
    store.typing(room.id);
  };
  return (
    <form
      class="composer"
      data-draft={room.id}
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    >
      {!begin && <ComposerNotes roomId={room.id} area={ref} />}
      {attached.length > 0 && <UploadTray uploads={attached} />}
      <div class="box">
        {pasted && (
          <PasteOffer
            code={pasted}
            area={ref}
            onClose={() => {
              setPasted(null);
              ref.current?.focus();
            }}
          />
        )}
        {hasFormatBar.value && <FormatBar area={ref} />}
        <AttachButton roomId={room.id} onFiles={begin?.attach} />
        <WritingArea
          roomId={room.id}
          label={describeWriting(room)}
          placeholder={describeWriting(room)}
          rows={1}
          area={ref}
          text={text}
          onText={onText}
          onEnter={send}
          onKey={(event) => {
            if (event.key === "ArrowUp" && text === "" && editLast(room)) event.preventDefault();
            if (event.key === "Escape") markRead(room);
          }}
          onPaste={(event) => {
            if (pasteFiles(room.id, event, begin?.attach)) return;
            getWritingTools()?.pasteText(event, setPasted);
          }}
        />
        <FormatToggle area={ref} />
        <EmojiButton area={ref} />
        <IconButton
          icon={SendHorizontal}
          label={t("composer.send")}
          class="send"
          disabled={!ready}
          onClick={send}
        />
        {!begin && (
          <SendMenu roomId={room.id} text={text} disabled={!ready} onPlanned={() => change("")} />
        )}
      </div>
      {problem && (
        <p class="error" role="alert">
          {problem}
        </p>
      )}
    </form>
  );
}
