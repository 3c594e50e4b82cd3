import { signal } from "@preact/signals";
import { CaseSensitive } from "lucide";
import type { RefObject } from "preact";
import { IconButton } from "../parts/button.tsx";
import { storeIfSpace, localStore } from "../connection/storage.ts";
import { t } from "../words/translate.ts";

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
