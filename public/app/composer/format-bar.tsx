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
import type { Format } from "../state/composer/formatting.ts";
import { formatArea } from "./format-area.ts";
import { t } from "../words/translate.ts";

const FORMATS: [format: Format, icon: IconNode][] = [
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
      {FORMATS.map(([format, icon]) => (
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
