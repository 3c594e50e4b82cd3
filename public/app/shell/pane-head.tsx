import { Menu as MenuIcon } from "lucide";
import type { ComponentChildren } from "preact";
import { drawer } from "../app.ts";
import { IconButton } from "../parts/button.tsx";
import { t } from "../words/translate.ts";

type PaneHeadProps = {
  title?: string;
  text?: string | null;
  children?: ComponentChildren;
};

/** The head of what is looked at; on a phone it brings out the list of rooms. */
export function PaneHead({ title, text, children }: PaneHeadProps) {
  return (
    <header class="pane-head">
      <IconButton
        icon={MenuIcon}
        label={t("shell.rooms")}
        class="only-phone"
        expanded={drawer.value}
        onClick={() => (drawer.value = !drawer.value)}
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
