import { type Static, Type as t } from "@sinclair/typebox";
import { Id, Notify, Nullable, Pinning, Privacy, ThreadPush, Threads } from "../models.ts";
import { Description, RoomName, Username } from "./fields.ts";

/** Rooms, direct conversations and memberships of both. */

export const CreateRoom = t.Object({
  name: RoomName,
  privacy: Privacy,
  description: t.Optional(Nullable(Description)),
});
export const UpdateRoom = t.Partial(
  t.Object({
    name: RoomName,
    privacy: Privacy,
    description: Nullable(Description),
    pinning: Pinning,
    threads: Threads,
  }),
);
const GivenRole = t.Union([t.Literal("admin"), t.Literal("member")]);
export const AddMember = t.Object({
  user_id: t.Optional(Id),
  username: t.Optional(Username),
  role: t.Optional(GivenRole),
});
export const ChangeRole = t.Object({ role: GivenRole });
export const TransferRoom = t.Object({ user_id: Id });

/** Whom a conversation is with, beside the caller: nobody for notes to oneself. */
export const OpenDirect = t.Object({ user_ids: t.Array(Id) });
export const AddToDirect = t.Object({ user_id: Id });
export const MakeRoom = t.Object({
  name: RoomName,
  description: t.Optional(Nullable(Description)),
});
export const MarkRead = t.Object({ message_id: t.Optional(Nullable(Id)) });
export const MarkUnread = t.Object({ message_id: Id });
export const UpdateMembership = t.Partial(
  t.Object({
    notify: Notify,
    thread_push: ThreadPush,
    pinned: t.Boolean({ description: "Whether the room is among the caller's favourites" }),
    hidden: t.Boolean({
      description: "Of a direct conversation: left out of the list until its next message",
    }),
  }),
);

export type CreateRoom = Static<typeof CreateRoom>;
export type UpdateRoom = Static<typeof UpdateRoom>;
export type UpdateMembership = Static<typeof UpdateMembership>;
export type OpenDirect = Static<typeof OpenDirect>;
export type MakeRoom = Static<typeof MakeRoom>;
export type AddMember = Static<typeof AddMember>;
