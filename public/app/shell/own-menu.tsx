import {
  BellOff,
  CircleDashed,
  CircleUser,
  Keyboard,
  LogOut,
  Moon,
  Palette,
  Settings2,
} from "lucide";
import type { Me } from "../../../src/wire/models.ts";
import type { MenuItem } from "../parts/menu.tsx";
import { MenuList } from "../parts/menu-list.tsx";
import type { Anchor } from "../parts/use-popover.ts";
import { navigateTo } from "../session/navigation.ts";
import { openDialog } from "../session/overlay.ts";
import { appearOffline, selectTheme, pauseNotifications } from "../session/own-actions.ts";
import { PAUSES, pausedUntil } from "../session/pause-notifications.ts";
import { PRESETS } from "../session/theme.ts";
import { t } from "../words/translate.ts";

type OwnMenuProps = { me: Me; anchor: Anchor | null; onClose(): void };

export function OwnMenu({ me, anchor, onClose }: OwnMenuProps) {
  return (
    <MenuList
      label={t("own.menu")}
      items={listOwnItems(me)}
      anchor={anchor}
      side="start"
      onClose={onClose}
    />
  );
}

function listOwnItems(me: Me): MenuItem[] {
  const items: MenuItem[] = [
    ...listPresenceItems(me),
    { label: t("profile.appearance"), icon: Palette, items: listThemes(me) },
    { label: t("profile.title"), icon: CircleUser, onSelect: () => navigateTo("/profile") },
    ...listShortcutItem(),
  ];
  if (me.is_site_admin) {
    items.push({
      label: t("admin.title"),
      icon: Settings2,
      isApart: true,
      onSelect: () => navigateTo("/admin"),
    });
  }
  items.push(signOutItem());
  return items;
}

/** The items that pause notifications and let the reader appear offline. */
export function listPresenceItems(me: Me): MenuItem[] {
  return [
    pauseItem(),
    {
      label: t("appear-offline"),
      icon: CircleDashed,
      checked: me.appear_offline,
      isSwitch: true,
      onSelect: () => appearOffline(!me.appear_offline),
    },
  ];
}

/** Empty on a touch screen, which has no keyboard. */
export function listShortcutItem(): MenuItem[] {
  if (!matchMedia("(any-pointer: fine)").matches) return [];
  const onSelect = () => openDialog({ name: "shortcuts" });
  return [{ label: t("shortcuts.title"), icon: Keyboard, onSelect }];
}

export function signOutItem(): MenuItem {
  const onSelect = () => openDialog({ name: "sign-out" });
  return { label: t("sign-out"), icon: LogOut, isApart: true, onSelect };
}

/** Resumes notifications while they are paused; otherwise offers times to pause them. */
function pauseItem(): MenuItem {
  if (pausedUntil()) {
    return {
      label: t("switcher.resume"),
      icon: BellOff,
      onSelect: () => pauseNotifications(null),
    };
  }
  return {
    label: t("pause.title"),
    icon: Moon,
    items: [
      ...PAUSES.map(([key, end]) => ({
        label: t(`until.${key}`),
        onSelect: () => pauseNotifications(end()),
      })),
      { label: t("own.quiet-hours"), onSelect: () => navigateTo("/profile/notifications") },
    ],
  };
}

function listThemes({ theme, follows_system, active_custom_theme }: Me): MenuItem[] {
  const isPreset = !follows_system && active_custom_theme === null;
  return [
    {
      label: t("own.theme-device"),
      checked: follows_system,
      onSelect: () => selectTheme(null),
    },
    ...PRESETS.map((preset) => ({
      label: t(`preset.${preset}`),
      checked: isPreset && theme === preset,
      onSelect: () => selectTheme(preset),
    })),
    { label: t("own.more-themes"), onSelect: () => navigateTo("/profile/appearance") },
  ];
}
