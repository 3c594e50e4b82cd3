import { useEffect, useState } from "preact/hooks";
import type { Member, MyRoom, Page, User } from "../../../src/wire/models.ts";
import { store, toast } from "../app.ts";
import { Button } from "../parts/button.tsx";
import { Dialog } from "../parts/dialog.tsx";
import { ErrorText, Field } from "../parts/field.tsx";
import { Avatar, nameOf } from "../parts/person.tsx";
import { useAction } from "../parts/use-action.ts";
import { useSettled } from "../parts/use-settled.ts";

type AddMemberProps = { room: MyRoom; members: Member[]; onClose(): void };

export function AddMember({ room, members, onClose }: AddMemberProps) {
  const [query, setQuery] = useState("");
  const [found, setFound] = useState<User[] | null>(null);
  const action = useAction();
  const wanted = useSettled(query);
  useEffect(() => {
    const search = new URLSearchParams({ query: wanted, limit: "20" });
    void action.run(async () => {
      setFound((await store.api.get<Page<User>>(`/api/users?${search}`)).items);
    });
  }, [wanted]);
  const inside = new Set(members.map((member) => member.user.id));
  const add = (user: User) =>
    action.run(async () => {
      await store.api.post(`/api/rooms/${room.id}/members`, { user_id: user.id });
      toast(`${nameOf(user)} is in #${room.name} now.`);
    });
  return (
    <Dialog title={`Add to #${room.name}`} onClose={onClose}>
      <Field
        label="Search by name"
        type="search"
        value={query}
        onValue={setQuery}
        autocomplete="off"
        autofocus
      />
      {action.error && <ErrorText>{action.error}</ErrorText>}
      {found?.length === 0 && <p class="muted">Nobody here goes by that name.</p>}
      <ul class="list">
        {found?.map((user) => (
          <li key={user.id}>
            <Avatar user={user} />
            <span class="grow">
              <span class="truncate" style={{ display: "block" }}>
                {nameOf(user)}
              </span>
              <span class="muted small">@{user.username}</span>
            </span>
            {inside.has(user.id) ? (
              <span class="tag">member</span>
            ) : (
              <Button onClick={() => void add(user)}>
                Add <span class="visually-hidden">{nameOf(user)}</span>
              </Button>
            )}
          </li>
        ))}
      </ul>
    </Dialog>
  );
}
