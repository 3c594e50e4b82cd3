/** How answers of the service change the state. */
import type { Me, MyRoom } from "../../../../src/wire/models.ts";
import { toMembers } from "../model/direct-room.ts";
import { takeRoom } from "../model/ledger.ts";
import { withMeAsUser } from "../model/users.ts";
import { type State, withLedger, withoutRoom, withView } from "../model/model.ts";
import { withRoomName } from "../model/room-names.ts";

/** The state with an answer about one of my conversations. */
export function withDirect(state: State, room: MyRoom): State {
  if (!state.directs) return state;
  const next = withLedger(state, room.id, takeRoom(state.ledgers[room.id], room));
  // Only this answer brings the people of the conversation.
  const members = next.directs?.[room.id]?.direct;
  return next.views[room.id]?.members && members
    ? withView(next, room.id, { members: toMembers(members) })
    : next;
}

/** The state with an answer about one of my rooms. */
export function withAnswer(state: State, room: MyRoom): State {
  if (!room.membership) return withoutRoom(state, room.id);
  // The list is being loaded; one room alone would look like the whole list.
  if (!state.rooms) return state;
  return withRoomName(withLedger(state, room.id, takeRoom(state.ledgers[room.id], room)), room.id);
}

/** Updates my account, unless the known one is newer. */
export function withMe(state: State, me: Me): State {
  if (state.me && me.id === state.me.id && me.version < state.me.version) return state;
  return withMeAsUser({ ...state, me }, me);
}
