import { Menu as MenuIcon } from "lucide";
import type { ComponentChildren } from "preact";
import { IconButton } from "../parts/button.tsx";
import { t } from "../words/translate.ts";
import { isDrawerOpen } from "./navigation.ts";

type PaneHeadProps = {
  title?: string;
  text?: string | null;
  children?: ComponentChildren;
};

/** The head of a screen; on a phone it has the button that opens the sidebar. */
export function PaneHead({ title, text, children }: PaneHeadProps) {
  return (
    <header class="pane-head">
      <IconButton
        icon={MenuIcon}
        label={t("shell.rooms")}
        class="only-phone"
        expanded={isDrawerOpen.value}
        onClick={() => (isDrawerOpen.value = !isDrawerOpen.value)}
      />
      <div class="titles">
        {title && (
          <h1 class="truncate" dir="auto" title={title}>
            {title}
          </h1>
        )}
        {text && (
          <p class="muted small truncate" dir="auto" title={text}>
            {text}
          </p>
        )}
      </div>
      {children}
    </header>
  );
}
