import type { Message, Room } from "../../../../src/wire/models.ts";
import { roomById, type RoomView, type State, withView } from "./model.ts";
import { mapItems, mapValues } from "./change-members.ts";

/**
 * Gives a room its present name wherever messages refer to it. A page of history that was requested before
 * a rename, and arrives after it, has the old name.
 */
export function withRoomName(state: State, roomId: string): State {
  const room = roomById(state, roomId);
  if (!room) return state;
  const views = mapValues(state.views, (view) => nameRooms(view, { [roomId]: room }));
  return views === state.views ? state : { ...state, views };
}

/** Replaces the names of these rooms in a view's messages. */
function nameRooms(view: RoomView, rooms: Record<string, Pick<Room, "name">>): RoomView {
  const nameOf = ({ room_id, name }: RoomReference) => rooms[room_id]?.name ?? name;
  const rename = (message: Message) => {
    if (message.room_references.every((reference) => nameOf(reference) === reference.name))
      return message;
    const room_references = message.room_references
      .map((reference) => ({ ...reference, name: nameOf(reference) }))
      .toSorted((a, b) => (a.name < b.name ? -1 : 1));
    return { ...message, room_references };
  };
  const messages = mapItems(view.messages, rename);
  const root = view.thread?.root && rename(view.thread.root);
  if (messages === view.messages && root === view.thread?.root) return view;
  return { ...view, messages, ...(view.thread && root && { thread: { ...view.thread, root } }) };
}

type RoomReference = Message["room_references"][number];

/**
 * Gives rooms their present names in a view that has just been loaded: the answer may be older than a
 * rename that is known here.
 */
export function withKnownNames(state: State, roomId: string): State {
  const view = state.views[roomId];
  return view ? withView(state, roomId, nameRooms(view, state.conversations ?? {})) : state;
}
