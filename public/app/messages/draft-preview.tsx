import type { ComponentProps } from "preact";
import { useEffect, useLayoutEffect } from "preact/hooks";
import { hasVisible } from "../../../src/wire/unicode.ts";
import { Completion } from "../composer/completion.tsx";
import { previewed } from "../composer/format-bar.tsx";
import { isEmojiOnly } from "../parts/emoji/emoji-only.ts";
import { isEscape } from "../parts/escape.ts";
import { Markdown } from "../parts/markdown/markdown.tsx";
import { t } from "../words/translate.ts";
import { pendingResolver } from "./pending.tsx";

type AidProps = ComponentProps<typeof Completion>;

/** What helps with a text area: completions of names, or a preview of its text in its place. */
export function WritingAid(props: AidProps) {
  const isPreview = previewed.value !== null && previewed.value === props.area.current;
  return isPreview ? <DraftPreview {...props} /> : <Completion {...props} />;
}

/**
 * Shows a draft as the message will look. The text area below keeps the focus, so that Enter sends;
 * typing and Esc return to it.
 */
function DraftPreview({ roomId, text, area, keys }: AidProps) {
  const close = (event: KeyboardEvent) => {
    if (!isEscape(event)) return false;
    event.preventDefault();
    previewed.value = null;
    area.current?.focus();
    return true;
  };
  useLayoutEffect(() => {
    keys.current = close;
  });
  // Before the next key.
  useLayoutEffect(() => {
    const field = area.current;
    const write = () => {
      if (previewed.value === field) previewed.value = null;
    };
    field?.addEventListener("input", write);
    return () => {
      field?.removeEventListener("input", write);
      write();
    };
  }, [roomId]);
  useEffect(() => {
    if (!hasVisible(text)) previewed.value = null;
  }, [text]);
  return (
    <section
      class={`preview content scroll ${isEmojiOnly(text) ? "only-emoji" : ""}`}
      dir="auto"
      aria-label={t("format.preview")}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable by keyboard
      tabIndex={0}
      onKeyDown={close}
      // The text area keeps the focus.
      onMouseDown={(event) => event.preventDefault()}
    >
      <Markdown text={text} resolver={pendingResolver(roomId)} />
    </section>
  );
}
