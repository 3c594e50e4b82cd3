import { Menu as MenuIcon } from "lucide";
import type { ComponentChildren } from "preact";
import { IconButton } from "../parts/button.tsx";
import { useId } from "preact/hooks";
import { PHONE, useMedia } from "../parts/use-media.ts";
import { UnreadBadge } from "../parts/unread-badge.tsx";
import { news } from "./sidebar-items.ts";
import { t } from "../words/translate.ts";
import { isDrawerOpen } from "./navigation.ts";

type PaneHeadProps = {
  title?: string;
  text?: string | null;
  /** Before the title, such as faces. */
  mark?: ComponentChildren;
  children?: ComponentChildren;
};

/** The head of a screen; on a phone it has the button that opens the sidebar. */
export function PaneHead({ title, text, mark, children }: PaneHeadProps) {
  const id = useId();
  const isPhone = useMedia(PHONE);
  return (
    <header class="pane-head">
      <span class="menu-button">
        <IconButton
          icon={MenuIcon}
          label={t("shell.rooms")}
          class="only-phone"
          expanded={isDrawerOpen.value}
          describedBy={id}
          onClick={() => (isDrawerOpen.value = !isDrawerOpen.value)}
        />
        <span class="menu-news" id={id}>
          {isPhone && <UnreadBadge {...news.value} />}
        </span>
      </span>
      {mark}
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
