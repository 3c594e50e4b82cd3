import { signal } from "@preact/signals";
import {
  Bold,
  Code,
  Eye,
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
import { useEffect } from "preact/hooks";
import { hasVisible } from "../../../src/wire/unicode.ts";
import { Button, IconButton } from "../parts/button.tsx";
import { isEscape } from "../parts/escape.ts";
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

/** The text area whose place is taken by a preview of its text. */
export const previewed = signal<HTMLTextAreaElement | null>(null);

type BarProps = { area: RefObject<HTMLTextAreaElement | null>; text: string };

/**
 * Buttons that format what is selected in the text area, and one for a preview. Left and Right move
 * between them.
 */
export function FormatBar({ area, text }: BarProps) {
  const isPreview = previewed.value !== null && previewed.value === area.current;
  const write = () => {
    previewed.value = null;
    area.current?.focus();
  };
  useEffect(
    () => () => {
      if (previewed.value === area.current) previewed.value = null;
    },
    [],
  );
  return (
    <div
      class="flex"
      role="toolbar"
      aria-label={t("format.title")}
      onKeyDown={(event) => {
        const buttons = [
          ...event.currentTarget.querySelectorAll<HTMLElement>("button:not(:disabled)"),
        ];
        if (moveFocus(event, buttons, LEFT_AND_RIGHT, { wraps: true })) return;
        if (!isPreview || !isEscape(event)) return;
        event.preventDefault();
        write();
      }}
      // The text area keeps the focus and the selection.
      onMouseDown={(event) => event.preventDefault()}
    >
      <IconButton
        icon={Eye}
        label={t("format.preview")}
        pressed={isPreview}
        disabled={!hasVisible(text)}
        onClick={() => {
          previewed.value = isPreview ? null : area.current;
          area.current?.focus();
        }}
      />
      {isPreview ? (
        <Button kind="bare" onClick={write}>
          {t("format.write")}
        </Button>
      ) : (
        FORMATS.map(([format, icon]) => (
          <IconButton
            key={format}
            icon={icon}
            label={t(`format.${format}`)}
            onClick={() => area.current && formatArea(area.current, format)}
          />
        ))
      )}
    </div>
  );
}
