import { NotebookPen } from "lucide";
import { Avatar, Dot } from "./person.tsx";
import { Icon } from "../parts/icon.tsx";
import { store } from "./store.ts";
import { type DirectFacts, partnersOf } from "../state/model/conversation.ts";

type FacesProps = { direct: Pick<DirectFacts, "kind" | "members">; size: number };

/** A partner's picture with presence, two pictures for a group, or a notebook. */
export function Faces({ direct, size }: FacesProps) {
  const style = { "--face": `${size}px` };
  if (direct.kind === "self") {
    return (
      <span class="faces rigid relative notes middle round" style={style}>
        <Icon of={NotebookPen} />
      </span>
    );
  }
  const people = partnersOf(direct, store.me.value?.id);
  const [first, second] = people;
  const isGroup = direct.kind === "group" && second !== undefined;
  const status = direct.members.find(({ user }) => user.id === first?.id)?.status;
  return (
    <span class={`faces rigid relative ${isGroup ? "two" : ""}`} style={style}>
      {first && <Avatar user={first} size={isGroup ? Math.round(size * 0.62) : size} />}
      {isGroup && <Avatar user={second} size={Math.round(size * 0.62)} />}
      {!isGroup && status && <Dot status={status} />}
    </span>
  );
}
