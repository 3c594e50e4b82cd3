import { Archive, Hash, Lock } from "lucide";
import type { Room } from "../../../src/wire/models.ts";
import { Icon } from "./icon.tsx";
import { t } from "../words/translate.ts";

type IconProps = { room: Pick<Room, "privacy"> & { is_archived?: boolean } };

/** Distinguishes archived, private and open rooms. Direct conversations have `Faces` instead. */
export function RoomIcon({ room: { is_archived, privacy } }: IconProps) {
  return <Icon of={is_archived ? Archive : isPrivate({ privacy }) ? Lock : Hash} />;
}

/** The name of a room within a line: "#ops", or after the icon of a private or archived room. */
export function RoomName({ room, name }: IconProps & { name: string }) {
  if (!room.is_archived && !isPrivate(room)) return <>#{name}</>;
  return (
    <>
      <RoomIcon room={room} />
      {name}
    </>
  );
}

/** Whether only people who were added see the room. Direct conversations do not show that they are. */
export const isPrivate = (room: Pick<Room, "privacy">) =>
  room.privacy === "private" && !("direct" in room);

/** The lock before the name of a private room, in place of `#`. */
export function PrivateMark() {
  return (
    <span
      class="private-mark muted"
      role="img"
      aria-label={t("room.private")}
      data-tooltip={t("room.private")}
    >
      <Icon of={Lock} />
    </span>
  );
}
