import { Reply, SendHorizontal, X } from "lucide";
import { useRef, useState } from "preact/hooks";
import { MAX_CONTENT_LENGTH } from "../../../src/wire/limits.ts";
import type { MyRoom, Quote } from "../../../src/wire/models.ts";
import { hasVisible } from "../../../src/wire/unicode.ts";
import { uploads } from "../session/upload-list.ts";
import { IconButton } from "../parts/button.tsx";
import { isEscape } from "../parts/escape.ts";
import { describeWriting } from "../parts/place-label.ts";
import {
  AttachButton,
  EmojiButton,
  FormatToggle,
  hasFormatBar,
  pasteFiles,
  SendMenu,
} from "./composer-buttons.tsx";
import { postMessage, runCommand, sendAsking, useFocus, useTyping } from "./post-message.ts";
import { editLast, isEditKey } from "./editing.ts";
import { ComposerNotes } from "../drafts/composer-notes.tsx";
import { getRest, quietRest } from "../parts/load-rest.tsx";
import type { PastedCode } from "./paste.tsx";
import { markRead } from "../session/mark-read.ts";
import { WritingArea } from "./writing-area.tsx";
import { t } from "../words/translate.ts";
import { Icon } from "../parts/icon.tsx";
import { nameOf } from "../session/person.tsx";
import { draftKey } from "../state/model/draft-copy.ts";
import { setQuote, useDraft } from "../session/write-draft.ts";

const FormatBar = quietRest("FormatBar");
const PasteOffer = quietRest("PasteOffer");
const UploadTray = quietRest("UploadTray");
const SEND = { icon: SendHorizontal, class: "send" };

type ComposerProps = {
  room: MyRoom;
  /** For a conversation that does not exist yet: creates it with its first message or file. */
  begin?: { send(text: string): Promise<boolean>; attach(files: Iterable<File>): void };
  /** Set in a thread: the id of its root, and what Esc does. */
  thread?: { id: string; onEscape(): void };
};

/** Writes and sends messages. Each room and each thread has a draft, which survives reloads. */
export function Composer({ room, begin, thread }: ComposerProps) {
  const threadId = thread?.id ?? null;
  const place = draftKey({ roomId: room.id, threadId });
  const draft = useDraft(place);
  const text = draft.text.value;
  const quote = draft.quote.value;
  const [isFull, setFull] = useState(false);
  const [pasted, setPasted] = useState<PastedCode | null>(null);
  const ref = useRef<HTMLTextAreaElement>(null);
  const tellTyping = useTyping(room.id);
  useFocus(ref, place);
  const length = [...text].length;
  const tooLong = length > MAX_CONTENT_LENGTH;
  const problem = tooLong
    ? t("composer.too-long", { count: length - MAX_CONTENT_LENGTH })
    : isFull && t("composer.full");
  const attached = uploads.of(room.id, threadId);
  const isUploading = attached.some((upload) => !upload.stored && !upload.problem);
  const hasSomething = hasVisible(text) || attached.some((upload) => upload.stored);
  const ready = hasSomething && !tooLong && !isUploading;
  const send = () => {
    if (!ready || (!begin && runCommand(text, () => draft.write("")))) return;
    sendAsking(room, text, post);
  };
  const post = () => {
    if (begin) {
      void begin.send(text).then((isSent) => isSent && draft.write(""));
      return;
    }
    const isPosted = postMessage(room.id, threadId, text);
    setFull(!isPosted);
    if (!isPosted) return;
    draft.write("");
    ref.current?.focus();
  };
  const attach = begin?.attach ?? ((files) => void uploads.add(room.id, files, threadId));
  const removeQuote = () => {
    setQuote(place, null);
    ref.current?.focus();
  };
  const planned = { roomId: room.id, threadId, quoteId: quote?.id ?? null, text };
  const onPlanned = () => {
    setQuote(place, null);
    draft.write("");
  };
  const closeOffer = () => {
    setPasted(null);
    ref.current?.focus();
  };
  const label = thread ? t("thread.write") : describeWriting(room);
  const onText = (next: string) => {
    draft.write(next);
    setFull(false);
    setPasted(null);
    if (!begin && next !== "") tellTyping();
  };
  return (
    <form
      class="composer relative gap-4 stack"
      data-draft={place}
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    >
      {!begin && <ComposerNotes roomId={room.id} threadId={threadId} area={ref} />}
      {quote && <QuoteChip quote={quote} onRemove={removeQuote} />}
      <div class="box relative flex wrap gap-4">
        {attached.length > 0 && <UploadTray uploads={attached} />}
        {pasted && <PasteOffer code={pasted} area={ref} onClose={closeOffer} />}
        {hasFormatBar.value && (
          <div class="format-bar">
            <FormatBar area={ref} text={text} />
          </div>
        )}
        <AttachButton onFiles={attach} />
        <WritingArea
          roomId={room.id}
          label={label}
          placeholder={label}
          rows={1}
          area={ref}
          text={text}
          onText={onText}
          onEnter={send}
          onKey={(event) => {
            if (isEditKey(event) && text === "" && editLast(room, threadId)) event.preventDefault();
            if (!isEscape(event)) return;
            if (quote) removeQuote();
            else if (thread) thread.onEscape();
            else markRead(room);
            event.preventDefault();
          }}
          onPaste={(event) => {
            if (pasteFiles(event, attach)) return;
            getRest()?.pasteText(event, setPasted);
          }}
        />
        <FormatToggle area={ref} />
        <EmojiButton area={ref} />
        <IconButton {...SEND} label={t("composer.send")} disabled={!ready} onClick={send} />
        {!begin && <SendMenu {...planned} disabled={!ready} onPlanned={onPlanned} />}
      </div>
      {problem && (
        <p class="error small" role="alert">
          {problem}
        </p>
      )}
    </form>
  );
}

function QuoteChip({ quote, onRemove }: { quote: Quote; onRemove(): void }) {
  const name = "author" in quote ? nameOf(quote.author) : "";
  return (
    <div class="quote-chip control row muted small">
      <Icon of={Reply} />
      <span class="grow truncate" dir="auto">
        <b>{name}</b> {"author" in quote ? (quote.excerpt ?? t("quote.upload")) : t("quote.gone")}
      </span>
      <IconButton icon={X} label={t("quote.remove")} onClick={onRemove} />
    </div>
  );
}
