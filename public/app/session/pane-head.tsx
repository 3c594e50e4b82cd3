import { ArrowLeft, ChevronDown, Menu as MenuIcon } from "lucide";
import type { ComponentChildren } from "preact";
import { IconButton } from "../parts/button.tsx";
import { Icon } from "../parts/icon.tsx";
import { useId } from "preact/hooks";
import { DRAWER, PHONE, useMedia } from "../parts/use-media.ts";
import { UnreadBadge } from "../parts/unread-badge.tsx";
import { news } from "./sidebar-items.ts";
import { t } from "../words/translate.ts";
import { isDrawerOpen, leaveTo, useScreenTitle } from "./navigation.ts";

type PaneHeadProps = {
  title?: string;
  text?: string | null;
  /** Shown before the title, such as faces. */
  mark?: ComponentChildren;
  /** The target of a phone's back arrow if the page began here; null for the screens in its bar. */
  back?: string | null;
  /** If set, a click on the title opens or closes the panel. */
  door?: { isOpen: boolean; onToggle(): void };
  children?: ComponentChildren;
};

/**
 * The header of a screen. A phone has an arrow to where the reader came from, and a narrow page a
 * button that opens the sidebar.
 */
export function PaneHead({ title, text, mark, back = "/", door, children }: PaneHeadProps) {
  useScreenTitle(title);
  const isPhone = useMedia(PHONE);
  return (
    <header class="pane-head border-bottom">
      {isPhone && back && (
        <a
          class="icon-button"
          href={back}
          aria-label={t("shell.back")}
          onClick={(event) => {
            event.preventDefault();
            void leaveTo(null, back);
          }}
        >
          <Icon of={ArrowLeft} />
        </a>
      )}
      {useMedia(DRAWER) && <DrawerButton />}
      {mark}
      <div class="titles grow">
        {title && (
          <h1 class="truncate" dir={door ? undefined : "auto"} title={title}>
            {door ? (
              <button
                type="button"
                class="door row gap-4"
                aria-expanded={door.isOpen}
                onClick={door.onToggle}
              >
                <span class="truncate" dir="auto">
                  {title}
                </span>
                <Icon of={ChevronDown} />
              </button>
            ) : (
              title
            )}
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

/** Opens and closes the sidebar, with a badge of what is unread in it. */
function DrawerButton() {
  const id = useId();
  return (
    <span class="menu-button grid relative">
      <IconButton
        icon={MenuIcon}
        label={t("sidebar.rooms")}
        expanded={isDrawerOpen.value}
        describedBy={id}
        onClick={() => (isDrawerOpen.value = !isDrawerOpen.value)}
      />
      <span class="menu-news" id={id}>
        <UnreadBadge {...news.value} />
      </span>
    </span>
  );
}
