import { signal } from "@preact/signals";
import type { Broadcast, File as StoredFile, MyRoom, User } from "../../../src/wire/models.ts";
import type { Saved, Scheduled } from "../../../src/wire/keeping.ts";

/** A dialog without its own address, with what it needs. Its component is in shell/dialogs.tsx. */
export type Overlay =
  | { name: "switcher" }
  | { name: "shortcuts" }
  | { name: "create-room" }
  | { name: "new-message"; people?: User[] }
  | { name: "person"; user: User }
  | { name: "jump"; room: MyRoom }
  | {
      name: "broadcast";
      kind: Broadcast;
      roomName: string;
      count: number;
      isRefused: boolean;
      send(): void;
    }
  | { name: "message"; roomId: string; messageId: string; inThread?: string }
  | { name: "read-all" }
  | { name: "pdf"; file: StoredFile }
  | { name: "remind"; messageId: string; saved?: Saved }
  | { name: "plan"; onPlan(at: Date): Promise<void> }
  | { name: "scheduled"; scheduled: Scheduled };

export const overlay = signal<Overlay | null>(null);

/** What was typed after Ctrl or Cmd and K, while the code of the switcher was still loading. */
export const typedAhead = signal("");
