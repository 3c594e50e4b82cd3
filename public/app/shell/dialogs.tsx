import type { ComponentType } from "preact";
import { BroadcastQuestion } from "../composer/broadcast.tsx";
import { PlanDialog, ScheduledDialog } from "../drafts/scheduled-dialog.tsx";
import { NewMessage } from "../conversations/new-message.tsx";
import { PdfDialog } from "../messages/attachments/pdf-dialog.tsx";
import { RemindDialog } from "../later/remind-dialog.tsx";
import { MessageSheet } from "../messages/message-sheet.tsx";
import { AddMember } from "../people/add-member.tsx";
import { PersonCard } from "../people/person-card.tsx";
import { lazy } from "../parts/load-chunk.tsx";
import { AddPeople } from "../conversations/add-people.tsx";
import { Confirm } from "../parts/form.tsx";
import { CreateRoom, MakeRoom } from "../conversations/create-room.tsx";
import { ToRoomSettings } from "../conversations/room-settings.tsx";
import type { DialogProps, Dialogs, Overlay } from "../session/overlay.ts";
import { MoveToSection, SectionDialog } from "../sections/section-menu.tsx";
import { Switcher } from "../switcher/switcher.tsx";
import { JumpDialog } from "../timeline/jump-dialog.tsx";
import { ReadAll } from "./read-all.tsx";
import { Shortcuts } from "./shortcuts.tsx";

const SignOutDialog = lazy("profile/sign-out.tsx", "SignOutDialog");

/** The component of each dialog. A dialog without a component does not compile. */
const DIALOGS: { [Name in keyof Dialogs]: ComponentType<DialogProps<Name>> } = {
  switcher: Switcher,
  confirm: Confirm,
  shortcuts: Shortcuts,
  "create-room": CreateRoom,
  "new-message": NewMessage,
  person: PersonCard,
  jump: JumpDialog,
  broadcast: BroadcastQuestion,
  message: MessageSheet,
  pdf: PdfDialog,
  remind: RemindDialog,
  plan: PlanDialog,
  scheduled: ScheduledDialog,
  "read-all": ReadAll,
  "room-settings": ToRoomSettings,
  "add-member": AddMember,
  "add-people": AddPeople,
  "make-room": MakeRoom,
  "sign-out": SignOutDialog,
  section: SectionDialog,
  "move-to-section": MoveToSection,
};

type OverlayDialogProps = { overlay: Overlay; onClose(): void };

export function OverlayDialog({ overlay: { name, ...props }, onClose }: OverlayDialogProps) {
  const Dialog = DIALOGS[name] as ComponentType<{ onClose(): void }>;
  return <Dialog {...props} onClose={onClose} />;
}
