import {
  Bold,
  Code,
  type IconNode,
  Italic,
  Link,
  List,
  ListOrdered,
  SquareCode,
  Strikethrough,
  TextQuote,
} from "lucide";
import type { RefObject } from "preact";
import { IconButton } from "../parts/button.tsx";
import { LEFT_AND_RIGHT, moveFocus } from "../parts/move-focus.ts";
import { type Format, continueList, applyFormat } from "../state/composer/formatting.ts";
import { t } from "../words/translate.ts";
import { replaceText } from "../parts/edit-text-area.ts";

const BUTTONS: [format: Format, icon: IconNode][] = [
  ["bold", Bold],
  ["italic", Italic],
  ["strike", Strikethrough],
  ["link", Link],
  ["bullets", List],
  ["numbers", ListOrdered],
  ["quote", TextQuote],
  ["code", Code],
  ["code-block", SquareCode],
];

/** Buttons that format what is selected in the text area. Left and Right move between them. */
export function FormatBar({ area }: { area: RefObject<HTMLTextAreaElement | null> }) {
  return (
    <div
      class="flex"
      role="toolbar"
      aria-label={t("format.title")}
      onKeyDown={(event) =>
        moveFocus(event, [...event.currentTarget.querySelectorAll("button")], LEFT_AND_RIGHT, {
          wraps: true,
        })
      }
      // The text area keeps the focus and the selection.
      onMouseDown={(event) => event.preventDefault()}
    >
      {BUTTONS.map(([format, icon]) => (
        <IconButton
          key={format}
          icon={icon}
          label={t(`format.${format}`)}
          onClick={() => area.current && formatArea(area.current, format)}
        />
      ))}
    </div>
  );
}

/** The formats by the code of their key, which is the same on all layouts, with Ctrl or Cmd. */
const SHORTCUTS: Record<string, Format> = {
  b: "bold",
  i: "italic",
  e: "code",
  "shift+x": "strike",
  // K has other uses: the switcher, and with Shift a new message.
  "shift+u": "link",
  "shift+Digit7": "numbers",
  "shift+Digit8": "bullets",
  "shift+Digit9": "quote",
  "shift+alt+c": "code-block",
};

/** Formats the selection of a text area, as one undo step. */
function formatArea(area: HTMLTextAreaElement, format: Format): void {
  const { value: text, selectionStart: start, selectionEnd: end } = area;
  replaceText(area, applyFormat(format, { text, start, end }));
}

type AreaKey = KeyboardEvent & { currentTarget: HTMLTextAreaElement };

/** Applies the format whose key was pressed. @returns false for other keys */
export function formatByKey(event: AreaKey): boolean {
  const format = formatOf(event);
  if (!format) return false;
  event.preventDefault();
  formatArea(event.currentTarget, format);
  return true;
}

function formatOf(event: KeyboardEvent): Format | undefined {
  if (!event.ctrlKey && !event.metaKey) return undefined;
  // On some layouts, the shortcut of the shortcut list uses the key of a format.
  if (event.key === "/") return undefined;
  const modifiers = `${event.shiftKey ? "shift+" : ""}${event.altKey ? "alt+" : ""}`;
  return SHORTCUTS[modifiers + event.key.toLowerCase()] ?? SHORTCUTS[modifiers + event.code];
}

/**
 * Begins the next item of a list instead of a line break.
 * @returns false outside of lists
 */
export function breakLine(event: AreaKey): boolean {
  const { value: text, selectionStart: start, selectionEnd: end } = event.currentTarget;
  const next = continueList({ text, start, end });
  if (!next) return false;
  event.preventDefault();
  replaceText(event.currentTarget, next);
  return true;
}
