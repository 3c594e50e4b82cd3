/** How answers of the service change the state. */
import type { Me } from "../../../../src/wire/models.ts";
import { type Conversation, toMembers } from "../model/direct-room.ts";
import { takeRoom } from "../model/ledger.ts";
import { withMeAsUser } from "../model/users.ts";
import { conversationById, type State, withLedger, withoutRoom, withView } from "../model/model.ts";
import { withRoomName } from "../model/room-names.ts";

/** The state with an answer about one of my conversations. */
export function withConversation(state: State, room: Conversation): State {
  const { id, membership } = room;
  if (!membership) return withoutRoom(state, id);
  // The list is being loaded; one of it alone would look like the whole list.
  if (!state.conversations) return state;
  const next = withLedger(state, id, takeRoom(state.ledgers[id], room));
  const shown = conversationById(next, id);
  if (shown?.kind !== "direct") return withRoomName(next, id);
  // Only this answer brings the people of a direct conversation.
  return next.views[id]?.members ? withView(next, id, { members: toMembers(shown.direct) }) : next;
}

/** Updates my account, unless the known one is newer. */
export function withMe(state: State, me: Me): State {
  if (state.me && me.id === state.me.id && me.version < state.me.version) return state;
  return withMeAsUser({ ...state, me }, me);
}
