import type {
  Me,
  Member,
  Message,
  MyRoom,
  Quote,
  Room,
  ReplyRoot,
  User,
} from "../../../../src/wire/models.ts";
import { type DirectRoom, directOf, toMembers } from "./direct-room.ts";
import type { Ledger } from "./ledger.ts";
import { type RoomView, type State, withLedger, withView } from "./model.ts";

/** Replaces a room's list of members, and updates these people wherever they are shown. */
export function withMembers(state: State, roomId: string, members: Member[]): State {
  const people = members.map(({ user }) => user);
  return withPeople(withView(state, roomId, { members }), people);
}

/**
 * Replaces some of a room's members.
 * @param ids the requested people; those who are missing in the answer are not members
 */
export function withSomeMembers(
  state: State,
  roomId: string,
  ids: ReadonlySet<string>,
  some: Member[],
): State {
  const known = state.views[roomId]?.members;
  const people = some.map(({ user }) => user);
  if (!known) return withPeople(state, people);
  const ledger = state.ledgers[roomId];
  const direct = ledger && directOf(ledger.room);
  // All people of a conversation are shown as members since it began, as when it is loaded.
  const shown = direct ? toMembers({ ...direct, members: some }) : some;
  const members = [...known.filter(({ user }) => !ids.has(user.id)), ...shown];
  members.sort((a, b) => (a.user.username < b.user.username ? -1 : 1));
  return withMembers(state, roomId, members);
}

/**
 * Updates people of a conversation, and whether they are online.
 * @param ids who has changed
 * @returns null if they are not among the known people, which then have to be loaded
 */
export function withPartners(
  state: State,
  roomId: string,
  ids: string[],
  some: Member[],
): State | null {
  const ledger = state.ledgers[roomId];
  const direct = ledger && directOf(ledger.room);
  const changed = new Map(some.map((member) => [member.user.id, member]));
  const isKnown = (id: string) => direct?.members.some(({ user }) => user.id === id);
  if (!direct || !ids.every((id) => changed.has(id) && isKnown(id))) return null;
  const members = mapItems(direct.members, (member) => {
    const now = changed.get(member.user.id);
    return now && now.status !== member.status ? { ...member, status: now.status } : member;
  });
  const room = { ...ledger.room, direct: { ...direct, members } };
  const next = members === direct.members ? state : withLedger(state, roomId, { ...ledger, room });
  return withPeople(
    next,
    some.map(({ user }) => user),
  );
}

/** Updates these people wherever the state shows them. */
export function withPeople(state: State, people: User[]): State {
  const byId = new Map(people.map((user) => [user.id, user]));
  const views = mapValues(state.views, (view) => renewView(view, byId));
  const rooms = state.rooms && mapValues(state.rooms, (room) => renewOwner(room, byId));
  const directs = state.directs && mapValues(state.directs, (room) => renewDirect(room, byId));
  const ledgers = mapValues(state.ledgers, (ledger) => renewLedger(ledger, byId));
  const isSame =
    views === state.views &&
    rooms === state.rooms &&
    directs === state.directs &&
    ledgers === state.ledgers;
  return isSame ? state : { ...state, views, rooms, directs, ledgers };
}

/** Me as others see me. */
export function toUser(me: Me): User {
  const { id, username, display_name, avatar_url, is_bot, is_active } = me;
  return { id, username, display_name, avatar_url, is_bot, is_active };
}

type People = Map<string, User>;

function renewView(view: RoomView, people: People): RoomView {
  const messages = mapItems(view.messages, (message: Message) => renewMessage(message, people));
  const root = view.thread?.root && renewMessage(view.thread.root, people);
  const thread = view.thread && root ? { ...view.thread, root } : view.thread;
  const members =
    view.members &&
    mapItems(view.members, (member: Member) => {
      const user = renewed(member.user, people);
      return user === member.user ? member : { ...member, user };
    });
  const isSame =
    messages === view.messages && members === view.members && root === view.thread?.root;
  return isSame ? view : { ...view, messages, members, ...(thread && { thread }) };
}

/** A message names its author, who pinned it, whom it quotes, and who began its thread. */
function renewMessage(message: Message, people: People): Message {
  const author = renewed(message.author, people);
  const by = message.pinned && renewed(message.pinned.by, people);
  const pinned =
    message.pinned && by && by !== message.pinned.by ? { ...message.pinned, by } : message.pinned;
  const quote = message.quote && renewQuote(message.quote, people);
  const root = message.root && renewRoot(message.root, people);
  const next = { ...message, author, pinned, quote, root };
  const keys = ["author", "pinned", "quote", "root"] as const;
  return keys.some((key) => next[key] !== message[key]) ? next : message;
}

function renewQuote(quote: Quote, people: People): Quote {
  if (!("author" in quote)) return quote;
  const author = renewed(quote.author, people);
  return author === quote.author ? quote : { ...quote, author };
}

function renewRoot(root: ReplyRoot, people: People): ReplyRoot {
  const now = people.get(root.author.id);
  const name = now ? (now.display_name ?? now.username) : root.author.name;
  return name === root.author.name ? root : { ...root, author: { id: root.author.id, name } };
}

function renewLedger(ledger: Ledger, people: People): Ledger {
  const room = renewRoom(ledger.room, people);
  const entries = mapItems(ledger.entries, (entry) => {
    const renewed = entry.kind === "room" ? renewOwner(entry.room, people) : null;
    return renewed && entry.kind === "room" && renewed !== entry.room
      ? { ...entry, room: renewed }
      : entry;
  });
  return room === ledger.room && entries === ledger.entries ? ledger : { ...ledger, room, entries };
}

/** A room of a response, with my newest name: that has a version, and the names in a room have none. */
export function withMyName<R extends MyRoom>({ me }: State, room: R): R {
  return me ? (renewRoom(room, new Map([[me.id, toUser(me)]])) as R) : room;
}

function renewRoom(room: MyRoom, people: People): MyRoom {
  return "direct" in room ? renewDirect(room as DirectRoom, people) : renewOwner(room, people);
}

function renewDirect(room: DirectRoom, people: People): DirectRoom {
  const members = mapItems(room.direct.members, (member) => {
    const user = renewed(member.user, people);
    return user === member.user ? member : { ...member, user };
  });
  const named = renewOwner(room, people);
  if (members === room.direct.members) return named;
  return { ...named, direct: { ...room.direct, members } };
}

function renewOwner<R extends Room>(room: R, people: People): R {
  const owner = renewed(room.owner, people);
  return owner === room.owner ? room : { ...room, owner };
}

/** An unchanged user stays the same object, so that nothing is rendered again. */
function renewed(user: User, people: People): User {
  const now = people.get(user.id);
  const keys = ["username", "display_name", "avatar_url", "is_bot", "is_active"] as const;
  return now && keys.some((key) => now[key] !== user[key]) ? now : user;
}

/** Changes each item of a list; returns the same list if none has changed. */
export function mapItems<T>(list: T[], change: (one: T) => T): T[] {
  const next = list.map(change);
  return next.some((one, i) => one !== list[i]) ? next : list;
}

/** Changes each value of a record; returns the same record if none has changed. */
export function mapValues<T>(record: Record<string, T>, change: (one: T) => T): Record<string, T> {
  const entries = Object.entries(record).map(([key, one]) => [key, change(one)] as const);
  return entries.some(([key, one]) => one !== record[key]) ? Object.fromEntries(entries) : record;
}
