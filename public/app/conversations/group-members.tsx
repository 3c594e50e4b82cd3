import { overlay } from "../session/overlay.ts";
import { Avatar, Dot, nameOf } from "../session/person.tsx";
import type { DirectFacts } from "../state/model/conversation.ts";

export function GroupMembers({ direct }: { direct: DirectFacts }) {
  return (
    <ul class="list panel-sections stack gap-16">
      {direct.members.map(({ user, status }) => (
        <li key={user.id}>
          <Avatar user={user} />
          <button
            type="button"
            class="who grow"
            onClick={({ currentTarget: anchor }) => {
              overlay.value = { name: "person", user, anchor };
            }}
          >
            <span class="truncate" dir="auto" style={{ display: "block" }}>
              {nameOf(user)}
            </span>
            <span class="muted small">@{user.username}</span>
          </button>
          <Dot status={status} />
        </li>
      ))}
    </ul>
  );
}
