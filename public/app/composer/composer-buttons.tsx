import { signal } from "@preact/signals";
import { CaseSensitive, Paperclip, Smile, ChevronDown } from "lucide";
import type { RefObject } from "preact";
import { useRef, useState } from "preact/hooks";
import { localStore, storeIfSpace } from "../connection/storage.ts";
import { IconButton } from "../parts/button.tsx";
import { LazyPicker } from "../parts/emoji/lazy-picker.tsx";
import { getRest, quietRest } from "../parts/load-rest.tsx";
import { t } from "../words/translate.ts";
import { MenuButton } from "../parts/menu.tsx";
import type { Planned } from "../drafts/send-times.tsx";

const SendTimes = quietRest("SendTimes");

type AttachProps = { onFiles: (files: Iterable<File>) => void };

export function AttachButton({ onFiles }: AttachProps) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <IconButton
        icon={Paperclip}
        label={t("files.attach")}
        onClick={() => input.current?.click()}
      />
      <input
        ref={input}
        type="file"
        multiple
        hidden
        onChange={({ currentTarget }) => {
          onFiles([...(currentTarget.files ?? [])]);
          // Otherwise the same file could not be picked again.
          currentTarget.value = "";
        }}
      />
    </>
  );
}

/** Attaches pasted files, such as screenshots. @returns false for text, which goes to the text field */
export function pasteFiles(
  event: ClipboardEvent,
  onFiles: (files: Iterable<File>) => void,
): boolean {
  const { files = null, types = [] } = event.clipboardData ?? {};
  // Office programs also copy an image of the text, but the text is wanted.
  if (!files || files.length === 0 || types.includes("text/plain")) return false;
  event.preventDefault();
  onFiles([...files]);
  return true;
}

const KEY = "snug.formats";
/** Whether this browser shows the formatting buttons. */
export const hasFormatBar = signal(localStore.getItem(KEY) !== null);

export function FormatToggle({ area }: { area: RefObject<HTMLTextAreaElement | null> }) {
  const isShown = hasFormatBar.value;
  return (
    <IconButton
      icon={CaseSensitive}
      label={t("format.title")}
      pressed={isShown}
      onClick={() => {
        storeIfSpace(localStore, KEY, isShown ? null : "shown");
        hasFormatBar.value = !isShown;
        area.current?.focus();
      }}
    />
  );
}

/** Inserts an emoji at the caret. Hidden on phones, where the keyboard has emoji. */
export function EmojiButton({ area }: { area: RefObject<HTMLTextAreaElement | null> }) {
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
          anchor={wrap.current.closest(".box") ?? wrap.current}
          onPick={(emoji) => area.current && getRest()?.insertAtCaret(area.current, emoji)}
          onClose={() => {
            setOpen(false);
            area.current?.focus();
          }}
        />
      )}
    </span>
  );
}

type MenuProps = Planned & {
  disabled: boolean;
  /** Called when the message is scheduled, to empty the composer. */
  onPlanned(): void;
};

/** The button beside Send, with a menu of times to send it later. */
export function SendMenu({ disabled, onPlanned, ...planned }: MenuProps) {
  return (
    <MenuButton
      icon={ChevronDown}
      label={t("scheduled.menu")}
      class="send-later rigid"
      disabled={disabled}
      list={(anchor, onClose) => (
        <SendTimes planned={planned} anchor={anchor} onPlanned={onPlanned} onClose={onClose} />
      )}
    />
  );
}
