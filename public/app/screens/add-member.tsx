import type { Member, MyRoom } from "../../../src/wire/models.ts";
import { store, toast } from "../app.ts";
import { nameOf } from "../parts/person.tsx";
import { ChoosePerson } from "./choose-person.tsx";

type AddMemberProps = { room: MyRoom; members: Member[]; onClose(): void };

export function AddMember({ room, members, onClose }: AddMemberProps) {
  const inside = new Set(members.map((member) => member.user.id));
  return (
    <ChoosePerson
      title={`Add to #${room.name}`}
      action="Add"
      isOut={(user) => inside.has(user.id)}
      outText="member"
      stays
      onChosen={async (user) => {
        await store.api.post(`/api/rooms/${room.id}/members`, { user_id: user.id });
        toast(`${nameOf(user)} is in #${room.name} now.`);
      }}
      onClose={onClose}
    />
  );
}
