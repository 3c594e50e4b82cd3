import { signal } from "@preact/signals";
import type { Broadcast, File as StoredFile, Room, User } from "../../../src/wire/models.ts";
import type { Section } from "../../../src/wire/sections.ts";
import type { Saved } from "../../../src/wire/saved-messages.ts";
import type { Question } from "../parts/form.tsx";
import type { DirectRoom } from "../state/model/conversation.ts";
import type { Anchor } from "../parts/use-popover.ts";
import type { Scheduled } from "../../../src/wire/scheduled-messages.ts";

/** The dialogs without an address of their own, with their props. */
export type Dialogs = {
  switcher: object;
  confirm: Question;
  shortcuts: object;
  "create-room": object;
  "new-message": { people?: User[] };
  person: {
    user: User;
    /** The position beside which the card opens. */
    anchor: Anchor;
  };
  jump: { room: Pick<Room, "id" | "name"> };
  broadcast: {
    kind: Broadcast;
    roomName: string;
    /** How many people it reaches. */
    count: number;
    /** Set if the reader may not send it. */
    isRefused: boolean;
    send(): void;
  };
  message: {
    roomId: string;
    messageId: string;
    /** The thread in which the message is shown. */
    inThread?: string;
  };
  pdf: { file: StoredFile };
  remind: { messageId: string; saved?: Saved };
  plan: { onPlan(at: Date): Promise<void> };
  scheduled: { scheduled: Scheduled };
  "read-all": object;
  "room-settings": { roomId: string };
  "add-member": { roomId: string };
  "add-people": { room: DirectRoom };
  /** Makes a room of a group. */
  "make-room": { room: DirectRoom };
  "sign-out": object;
  /** Creates a section, or renames the one passed. */
  section: { section?: Section };
  "move-to-section": { roomId: string };
};

export type DialogProps<Name extends keyof Dialogs> = Dialogs[Name] & { onClose(): void };

export type Overlay = { [Name in keyof Dialogs]: { name: Name } & Dialogs[Name] }[keyof Dialogs];

export const overlay = signal<Overlay | null>(null);

export function openDialog(dialog: Overlay): void {
  overlay.value = dialog;
}

/** Asks before something that cannot be undone. */
export const askToConfirm = (question: Question) => openDialog({ name: "confirm", ...question });

/** Characters typed after Ctrl or Cmd+K while the code of the switcher was loading. */
export const typedAhead = signal("");
