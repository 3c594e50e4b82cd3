import { signal } from "@preact/signals";
import { CaseSensitive } from "lucide";
import type { RefObject } from "preact";
import { IconButton } from "../parts/button.tsx";
import { t } from "../words/translate.ts";
import { keepIfSpace, localStore } from "../connection/storage.ts";

const KEY = "snug.formats";
/** Whether this browser shows the buttons that format. */
export const hasFormatBar = signal(localStore.getItem(KEY) !== null);

/** The button that shows or hides the buttons of formatting. */
export function FormatToggle({ area }: { area: RefObject<HTMLTextAreaElement | null> }) {
  const isShown = hasFormatBar.value;
  return (
    <IconButton
      icon={CaseSensitive}
      label={t("format.title")}
      pressed={isShown}
      onClick={() => {
        keepIfSpace(localStore, KEY, isShown ? null : "shown");
        hasFormatBar.value = !isShown;
        area.current?.focus();
      }}
    />
  );
}
