import { Smile } from "lucide";
import type { RefObject } from "preact";
import { useRef, useState } from "preact/hooks";
import { IconButton } from "../parts/button.tsx";
import { insertAtCaret } from "../parts/edit-text-area.ts";
import { LazyPicker } from "../parts/emoji/lazy-picker.tsx";
import { t } from "../words/translate.ts";

/** Inserts an emoji at the caret. Hidden on phones, whose keyboards have emoji. */
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
