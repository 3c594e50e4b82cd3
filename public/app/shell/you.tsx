import { ChevronRight, Settings2 } from "lucide";
import { Icon } from "../parts/icon.tsx";
import { type MenuItem, useMenu } from "../parts/menu.tsx";
import { MenuList } from "../parts/menu-list.tsx";
import { PaneHead } from "../session/pane-head.tsx";
import { nameOf } from "../session/person.tsx";
import { store } from "../session/store.ts";
import { t } from "../words/translate.ts";
import { PageLinks } from "../parts/page-links.tsx";
import { PROFILE_PAGES } from "../session/profile-pages.ts";
import { listPresenceItems, listShortcutItem, signOutItem } from "./own-menu.tsx";
import { OwnAvatar, OwnState } from "./own-row.tsx";

/**
 * The reader's own screen, linked from the bar of a phone: what the menu of their row has
 * elsewhere, with the pages of the profile.
 */
export function You() {
  const me = store.me.value;
  if (!me) return null;
  const pages = PROFILE_PAGES.map(([name, icon]) => {
    return { href: `/profile/${name}`, icon, label: t(`profile.${name}`) };
  });
  if (me.is_site_admin) pages.push({ href: "/admin", icon: Settings2, label: t("admin.title") });
  return (
    <section class="pane">
      <PaneHead title={t("bar.you")} back={null} />
      <div class="page grow scroll">
        <div class="row own-card gap-16">
          <OwnAvatar me={me} size={64} />
          <div class="grow">
            <h2 class="truncate" dir="auto">
              {nameOf(me)}
            </h2>
            <OwnState me={me} />
          </div>
        </div>
        <OwnItems items={listPresenceItems(me)} />
        <PageLinks pages={pages} />
        <OwnItems items={[...listShortcutItem(), signOutItem()]} />
      </div>
    </section>
  );
}

function OwnItems({ items }: { items: MenuItem[] }) {
  return (
    <ul class="page-links">
      {items.map((item) => (
        <li key={item.label}>
          <OwnItem item={item} />
        </li>
      ))}
    </ul>
  );
}

/** An item of the list; an item with choices opens a menu. */
function OwnItem({ item }: { item: MenuItem }) {
  const { isOpen, button, menu } = useMenu();
  const { label, icon, items, checked, onSelect } = item;
  if (checked !== undefined) {
    return (
      <label class="room-link control gap-16 rounded full">
        {icon && <Icon of={icon} />}
        <span class="grow">{label}</span>
        <input
          type="checkbox"
          role="switch"
          class="switch rigid relative"
          aria-checked={checked}
          checked={checked}
          onChange={onSelect}
        />
      </label>
    );
  }
  return (
    <>
      <button
        {...button}
        type="button"
        class="room-link control gap-16 rounded full"
        aria-haspopup={items && "menu"}
        aria-expanded={items && isOpen}
        onClick={items ? button.onClick : onSelect}
      >
        {icon && <Icon of={icon} />}
        <span class="grow">{label}</span>
        {items && <Icon of={ChevronRight} />}
      </button>
      {isOpen && items && <MenuList {...menu} label={label} items={items} />}
    </>
  );
}
