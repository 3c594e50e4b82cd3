import { Archive, Hash, Lock } from "lucide";
import type { Room } from "../../../src/wire/models.ts";
import { Icon } from "./icon.tsx";

type IconProps = { room: Pick<Room, "privacy"> & { is_archived?: boolean } };

/** Tells archived, private and open rooms apart. A conversation has `Faces` in its place. */
export function RoomIcon({ room: { is_archived, privacy } }: IconProps) {
  return <Icon of={is_archived ? Archive : privacy === "private" ? Lock : Hash} />;
}
