import { SquareCode, X } from "lucide";
import type { RefObject } from "preact";
import { Button, IconButton } from "../parts/button.tsx";
import { insertAtCaret, replaceText } from "../parts/edit-text-area.ts";
import { Icon } from "../parts/icon.tsx";
import { loadRest } from "../parts/load-rest.tsx";
import { isInCode, isUrl, putFences } from "../state/composer/formatting.ts";
import { looksLikeCode } from "../state/composer/looks-like-code.ts";
import { t } from "../words/translate.ts";

/** Text that was pasted and looks like code, with its position. */
export type PastedCode = { start: number; end: number; language: string };

type PasteEvent = ClipboardEvent & { currentTarget: HTMLTextAreaElement };

/** Elements that Markdown can express. */
const RICH =
  /<(?:a\s[^>]*href|b|strong|em|i|s|del|strike|code|pre|ul|ol|blockquote|table|h[1-6])\b/i;

/**
 * Pastes text as Markdown: an address over a selection makes a link of it, and rich text keeps its
 * links, lists and styles. Everything else is left to the browser.
 * @param onCode called for what looks like code, once it is in the text area
 */
export function pasteText(event: PasteEvent, onCode?: (code: PastedCode) => void): void {
  const area = event.currentTarget;
  const { value: text, selectionStart: start, selectionEnd: end } = area;
  const data = event.clipboardData;
  const plain = data?.getData("text/plain") ?? "";
  if (!data || isInCode(text, start)) return;
  const selected = text.slice(start, end);
  if (
    isUrl(plain.trim()) &&
    selected.trim() !== "" &&
    !isUrl(selected) &&
    !selected.includes("\n")
  ) {
    event.preventDefault();
    const link = `[${selected}](${plain.trim()})`;
    const caret = start + link.length;
    const next = text.slice(0, start) + link + text.slice(end);
    replaceText(area, { text: next, start: caret, end: caret });
    return;
  }
  const html = data.getData("text/html");
  const language = readLanguage(data.getData("vscode-editor-data"));
  if (language !== null || looksLikeCode(plain)) {
    event.preventDefault();
    const code = plain.replace(/\r\n?/g, "\n");
    insertAtCaret(area, code);
    if (code.includes("\n"))
      onCode?.({ start, end: start + code.length, language: language ?? "" });
  } else if (RICH.test(html)) {
    event.preventDefault();
    void insertRich(area, html, plain);
  }
}

function fenceCode(area: HTMLTextAreaElement, { start, end, language }: PastedCode): void {
  const fenced = putFences({ text: area.value, start, end }, language);
  const caret = fenced.end + "\n```".length;
  replaceText(area, { text: fenced.text, start: caret, end: caret });
}

async function insertRich(area: HTMLTextAreaElement, html: string, plain: string): Promise<void> {
  const text = await loadRest().then(
    ({ htmlToMarkdown }) => htmlToMarkdown(html) || plain,
    // If the code that converts does not load, the plain text is pasted.
    () => plain,
  );
  if (area.isConnected) insertAtCaret(area, text);
}

/** The language that an editor names with what it copies; null for text from elsewhere. */
function readLanguage(json: string): string | null {
  try {
    const { mode } = JSON.parse(json) as { mode?: unknown };
    return typeof mode === "string" && /^[\w+#.-]{1,30}$/.test(mode) && mode !== "plaintext"
      ? mode
      : "";
  } catch {
    return null;
  }
}

type OfferProps = {
  code: PastedCode;
  area: RefObject<HTMLTextAreaElement | null>;
  onClose(): void;
};

/** Offers to make a code block of pasted text. The offer ends with the next key. */
export function PasteOffer({ code, area, onClose }: OfferProps) {
  return (
    <div class="paste-offer flex absolute surface rounded raised" role="status">
      <Button
        onClick={() => {
          if (area.current) fenceCode(area.current, code);
          onClose();
        }}
      >
        <Icon of={SquareCode} />
        {t("format.make-block")}
      </Button>
      <IconButton icon={X} label={t("close")} onClick={onClose} />
    </div>
  );
}
