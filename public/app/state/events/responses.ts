import type { CallInput, ResponseOf, RouteName } from "../../../../src/snug-client/calls.ts";
import type { UnreadActivity } from "../../../../src/wire/activity.ts";
import type { ServerEvent } from "../../../../src/wire/events.ts";
import type { Direct, Me, Message, MyRoom, Team } from "../../../../src/wire/models.ts";
import type { Api } from "../../connection/api.ts";
import { countMentions, withActivity } from "../activity/my-activity.ts";
import { applyEvent } from "./apply-event.ts";
import { applyThread, withChanged } from "../model/message-list.ts";
import { type State, withView } from "../model/model.ts";
import { applyUnread } from "../model/unread.ts";
import { withUsers } from "../model/users.ts";

/** Where responses are merged: the store. */
export type ResponseTarget = {
  readonly state: { value: State };
  mergeTeam(team: Team): void;
  mergeMe(me: Me): void;
  mergePlace(place: MyRoom | Direct): void;
  /** A room has more or fewer unread mentions: which of them are new is loaded again. */
  onMentionsChanged(): void;
  /** Passes on the change of a thread that I follow, as its event would. */
  notify(event: ServerEvent): void;
};

/** The call that a response belongs to. */
type Call<Name extends RouteName> = {
  input: CallInput<Name>;
  /** The state at the time of the request: what has changed since then may be newer than the response. */
  before: State;
};
type Merge<Name extends RouteName> = {
  merge(to: ResponseTarget, response: ResponseOf<Name>, call: Call<Name>): void;
}["merge"];
type Merges = { [Name in RouteName]?: Merge<Name> };

const mergeTeam = (to: ResponseTarget, team: Team) => to.mergeTeam(team);
const mergeMe = (to: ResponseTarget, me: Me) => to.mergeMe(me);
const mergePlace = (to: ResponseTarget, place: MyRoom | Direct) => to.mergePlace(place);
const mergeMessage = (
  { state }: ResponseTarget,
  message: Message,
  { before }: { before: State },
) => {
  const seq = before.views[message.room_id]?.seq ?? null;
  state.value = withChanged(state.value, message, seq);
};
const mergeActivity = ({ state }: ResponseTarget, unread: UnreadActivity) => {
  state.value = withActivity(state.value, unread);
};

/** Responses that bring the team, which is shown before the sign-in, too. */
const TEAM_RESPONSES: Merges = {
  "GET /api/auth/session": (to, { team }) => to.mergeTeam(team),
  "GET /api/team": mergeTeam,
  "PUT /api/admin/settings/team": mergeTeam,
  "PUT /api/admin/settings/team/logo": mergeTeam,
  "DELETE /api/admin/settings/team/logo": mergeTeam,
};

/** Responses that change the state of the person who called. */
const MY_RESPONSES: Merges = {
  "PATCH /api/auth/me": mergeMe,
  "PUT /api/auth/me/avatar": mergeMe,
  "DELETE /api/auth/me/avatar": (to) => {
    const { me } = to.state.value;
    if (me) to.mergeMe({ ...me, avatar_url: null });
  },
  "POST /api/custom-themes/:id/activate": mergeMe,
  "POST /api/rooms": mergePlace,
  "PATCH /api/rooms/:id": mergePlace,
  "POST /api/rooms/:id/join": mergePlace,
  "POST /api/rooms/:id/transfer": mergePlace,
  "PATCH /api/rooms/:id/membership": mergePlace,
  "GET /api/direct": (to, { items }, { input }) => {
    // With people it finds a conversation that I have hidden. The whole list is loaded by `MyConversations`.
    if (input.query?.user_ids) for (const direct of items) to.mergePlace(direct);
  },
  "POST /api/direct": mergePlace,
  "POST /api/direct/:id/members": mergePlace,
  "POST /api/direct/:id/room": mergePlace,
  "POST /api/rooms/read": ({ state }, { items }) => {
    for (const mark of items)
      state.value = applyEvent(state.value, { type: "read", ...mark }, Date.now());
  },
  "POST /api/rooms/:id/unread": (to, mark, { input }) => {
    const { state } = to;
    const { id } = input.params;
    const mentions = countMentions(state.value, id);
    state.value = applyUnread(state.value, id, mark);
    // The event that follows changes nothing any more.
    if (countMentions(state.value, id) !== mentions) to.onMentionsChanged();
  },
  "POST /api/activity/read": mergeActivity,
  "PATCH /api/messages/:id": mergeMessage,
  "PUT /api/messages/:id/pin": mergeMessage,
  "PATCH /api/messages/:id/thread": ({ state }, thread, { input, before }) => {
    const { id } = input.params;
    const view = state.value.views[id];
    if (!view || view.seq !== before.views[id]?.seq) return;
    state.value = withView(state.value, id, applyThread(view, id, thread));
  },
  "PUT /api/messages/:id/thread/follow": (to, follow, { input }) =>
    to.notify({ type: "thread_follow", thread_id: input.params.id, ...follow }),
};

/**
 * Calls that merge their own responses, so that no caller can forget it. Responses and events may
 * arrive in any order: the version numbers decide.
 */
export function createMergingApi(api: Api, to: ResponseTarget): Api {
  async function call(route: RouteName, ...args: [never, never]): Promise<unknown> {
    const before = to.state.value;
    const response = await api.call(route, ...args);
    const isMine = to.state.value.me?.id === before.me?.id;
    // Users are merged whatever else a response is for.
    if (isMine) to.state.value = withUsers(to.state.value, response);
    const merge = TEAM_RESPONSES[route] ?? (isMine ? MY_RESPONSES[route] : undefined);
    const input = args[0] ?? {};
    (merge as Merge<RouteName> | undefined)?.(to, response as never, { input, before } as never);
    return response;
  }
  return { call: call as Api["call"] };
}
