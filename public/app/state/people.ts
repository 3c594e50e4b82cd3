import type { Me, Member, Message, MyRoom, User } from "../../../src/wire/models.ts";
import { type RoomView, type State, withRoom, withView } from "./model.ts";

/** A room's members as they were just loaded, with all that follows from it. */
export function withMembers(state: State, roomId: string, members: Member[]): State {
  const known = withPeople(
    withView(state, roomId, { members }),
    members.map(({ user }) => user),
  );
  const role = members.find(({ user }) => user.id === state.me?.id)?.role;
  const membership = known.rooms?.[roomId]?.membership;
  if (!role || !membership || membership.role === role) return known;
  return withRoom(known, roomId, { membership: { ...membership, role } });
}

/** The state with these people as they are now, wherever they are shown. */
export function withPeople(state: State, people: User[]): State {
  const byId = new Map(people.map((user) => [user.id, user]));
  const views = mapped(state.views, (view) => renewView(view, byId));
  const rooms = state.rooms && mapped(state.rooms, (room) => renewOwner(room, byId));
  return views === state.views && rooms === state.rooms ? state : { ...state, views, rooms };
}

/** Me as others see me. */
export function toUser(me: Me): User {
  const { id, username, display_name, avatar_url, is_bot, is_active } = me;
  return { id, username, display_name, avatar_url, is_bot, is_active };
}

type People = Map<string, User>;

function renewView(view: RoomView, people: People): RoomView {
  const messages = each(view.messages, (message: Message) => {
    const author = renewed(message.author, people);
    return author === message.author ? message : { ...message, author };
  });
  const members =
    view.members &&
    each(view.members, (member: Member) => {
      const user = renewed(member.user, people);
      return user === member.user ? member : { ...member, user };
    });
  const isSame = messages === view.messages && members === view.members;
  return isSame ? view : { ...view, messages, members };
}

function renewOwner(room: MyRoom, people: People): MyRoom {
  const owner = renewed(room.owner, people);
  return owner === room.owner ? room : { ...room, owner };
}

/** What is the same stays the same object, so that nothing is drawn anew for it. */
function renewed(user: User, people: People): User {
  const now = people.get(user.id);
  const keys = ["username", "display_name", "avatar_url", "is_bot", "is_active"] as const;
  return now && keys.some((key) => now[key] !== user[key]) ? now : user;
}

/** A list with each changed; the same list where none is. */
export function each<T>(list: T[], change: (one: T) => T): T[] {
  const next = list.map(change);
  return next.some((one, i) => one !== list[i]) ? next : list;
}

/** A record with each changed; the same record where none is. */
export function mapped<T>(record: Record<string, T>, change: (one: T) => T): Record<string, T> {
  const entries = Object.entries(record).map(([key, one]) => [key, change(one)] as const);
  return entries.some(([key, one]) => one !== record[key]) ? Object.fromEntries(entries) : record;
}
