import { Archive, ArchiveRestore, Crown, Star, StarOff } from "lucide";
import type { AdminRoom } from "../../../src/wire/admin.ts";
import type { MenuItem } from "../parts/menu.tsx";
import { reportOutcome } from "../session/toasts.ts";
import { t } from "../words/translate.ts";

/** What administrators can do with a room, each with a way back where there is one. */
export function itemsFor(
  room: AdminRoom,
  archive: (verb: "archive" | "unarchive") => Promise<void>,
  setDefault: (isDefault: boolean) => Promise<void>,
  choose: () => void,
): MenuItem[] {
  const about = { room: room.name };
  const isInUse = () => t("admin-rooms.unarchive-done", about);
  const transfer: MenuItem = { label: t("admin-rooms.transfer"), icon: Crown, onSelect: choose };
  if (room.is_archived) {
    const undo = () =>
      reportOutcome(archive("archive"), () => t("admin-rooms.archive-done", about));
    return [
      {
        label: t("admin-rooms.unarchive"),
        icon: ArchiveRestore,
        onSelect: () => reportOutcome(archive("unarchive"), isInUse, undo),
      },
      transfer,
    ];
  }
  return [
    room.is_default
      ? {
          label: t("admin-rooms.no-default"),
          icon: StarOff,
          onSelect: () =>
            reportOutcome(setDefault(false), () => t("admin-rooms.no-default-done", about)),
        }
      : {
          label: t("admin-rooms.default"),
          icon: Star,
          onSelect: () =>
            reportOutcome(setDefault(true), () => t("admin-rooms.default-done", about)),
        },
    transfer,
    {
      label: t("admin-rooms.archive"),
      icon: Archive,
      danger: true,
      onSelect: () =>
        reportOutcome(
          archive("archive"),
          () => t("admin-rooms.archive-done-text", about),
          () => reportOutcome(archive("unarchive"), isInUse),
        ),
    },
  ];
}
