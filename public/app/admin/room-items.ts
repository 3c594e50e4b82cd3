import { Archive, ArchiveRestore, Crown, Star, StarOff } from "lucide";
import type { Room } from "../../../src/wire/models.ts";
import type { MenuItem } from "../parts/menu.tsx";
import { reportOutcome } from "../session/toasts.ts";
import { wasConversation } from "../state/model/former-conversation.ts";
import { t } from "../words/translate.ts";

/** The actions of administrators on a room, with undo where possible. */
export function menuItemsFor(
  room: Room,
  archive: (action: "archive" | "unarchive") => Promise<void>,
  setDefault: (isDefault: boolean) => Promise<void>,
  chooseOwner: () => void,
): MenuItem[] {
  const args = { room: room.name };
  const isInUse = () => t("admin-rooms.unarchive-done", args);
  const transfer: MenuItem = {
    label: t("members.transfer"),
    icon: Crown,
    onSelect: chooseOwner,
  };
  if (room.is_archived) {
    const undo = () => reportOutcome(archive("archive"), () => t("admin-rooms.archive-done", args));
    return [
      {
        label: t("admin-rooms.unarchive"),
        icon: ArchiveRestore,
        onSelect: () => reportOutcome(archive("unarchive"), isInUse, undo),
      },
      transfer,
    ];
  }
  const byDefault: MenuItem = room.is_default
    ? {
        label: t("admin-rooms.no-default"),
        icon: StarOff,
        onSelect: () =>
          reportOutcome(setDefault(false), () => t("admin-rooms.no-default-done", args)),
      }
    : {
        label: t("admin-rooms.default"),
        icon: Star,
        onSelect: () => reportOutcome(setDefault(true), () => t("admin-rooms.default-done", args)),
      };
  return [
    ...(wasConversation(room) ? [] : [byDefault]),
    transfer,
    {
      label: t("admin-rooms.archive"),
      icon: Archive,
      danger: true,
      onSelect: () =>
        reportOutcome(
          archive("archive"),
          () => t("admin-rooms.archive-done-text", args),
          () => reportOutcome(archive("unarchive"), isInUse),
        ),
    },
  ];
}
