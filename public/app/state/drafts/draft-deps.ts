import type { Api } from "../../connection/api.ts";
import type { Clock } from "../../connection/clock.ts";
import type { DeviceDrafts } from "./device-drafts.ts";
import type { DraftParts } from "./draft-copy.ts";

export type DraftSyncDeps = {
  api: Api;
  clock: Clock;
  drafts: DeviceDrafts;
  /** The name of this device on the service. */
  device: string;
  newId(): string;
  /** Whether someone is writing the draft now, in any tab of this browser: its text is left alone. */
  isWriting(key: string): boolean;
  /** Whether the post with this id waits to be stored. */
  isPosting(clientId: string): boolean;
  /** The quote or uploads of a draft may have changed, by another device, another tab or a decision. */
  onParts(key: string, parts: DraftParts): void;
  /** Whether I am in a room, as far as it is known. */
  hasRoom(roomId: string): boolean;
  /** The room of a draft was deleted, and the draft with it. */
  onDeleted(text: string): void;
};
