import { lazy } from "../parts/lazy.tsx";

/** What a room is called and who may find it; its code comes when somebody asks. */
export const RoomSettings = lazy(() =>
  import("./room-settings-dialog.tsx").then((m) => m.RoomSettings),
);
