import { conversationById } from "../state/model/model.ts";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import type { Message } from "../../../src/wire/models.ts";
import { hasVisible } from "../../../src/wire/unicode.ts";
import { store } from "../session/store.ts";
import { Button } from "../parts/button.tsx";
import { ErrorText } from "../parts/error-text.tsx";
import { isEscape } from "../parts/escape.ts";
import { useAction } from "../parts/use-action.ts";
import { sendAsking } from "../composer/post-message.ts";
import { editing } from "../composer/editing.ts";
import { pasteText } from "../composer/paste.tsx";
import { WritingArea } from "../composer/writing-area.tsx";
import { findMessageRow } from "./focus-message.ts";
import { t } from "../words/translate.ts";

/** Edits a message in place: Enter saves, Esc cancels. */
export function EditForm({ message }: { message: Message }) {
  const [text, setText] = useState(message.content ?? "");
  const ref = useRef<HTMLTextAreaElement>(null);
  const action = useAction();
  /** Whether the form was opened from the message by keyboard: the focus then returns there. */
  const isFromRow = useRef(false);
  // In a layout effect, so that the next key after Up goes into this field.
  useLayoutEffect(() => {
    const before = document.activeElement;
    isFromRow.current =
      before?.matches("[data-message-id]:focus-visible, .tools :focus-visible") === true;
    ref.current?.focus();
    ref.current?.setSelectionRange(text.length, text.length);
  }, []);
  const close = () => {
    const pane = ref.current?.closest<HTMLElement>(".pane") ?? document.body;
    editing.value = null;
    if (isFromRow.current) findMessageRow(message.id, pane)?.focus();
    else pane.querySelector<HTMLElement>(".composer textarea")?.focus();
  };
  const save = () => {
    if (text === message.content) return close();
    const room = conversationById(store.state.value, message.room_id);
    if (room) sendAsking(room, text, change, message.broadcast);
    else change();
  };
  const change = () => {
    void action.run(async () => {
      await store.call("PATCH /api/messages/:id", {
        params: { id: message.id },
        body: { content: text },
      });
      close();
    });
  };
  return (
    <form
      class="edit stack"
      onSubmit={(event) => {
        event.preventDefault();
        save();
      }}
    >
      <WritingArea
        roomId={message.room_id}
        label={t("message.edit")}
        area={ref}
        text={text}
        onText={setText}
        onEnter={save}
        onPaste={(event) => pasteText(event)}
        onKey={(event) => {
          if (!isEscape(event)) return;
          event.preventDefault();
          close();
        }}
      />
      {action.error && <ErrorText>{action.error}</ErrorText>}
      <div class="actions">
        <Button
          kind="primary"
          type="submit"
          busy={action.busy}
          disabled={!hasVisible(text) && !message.image && !message.file}
        >
          {t("save")}
        </Button>
        <Button onClick={close}>{t("cancel")}</Button>
        <span class="muted tiny keys-hint">{t("message.edit-keys")}</span>
      </div>
    </form>
  );
}
