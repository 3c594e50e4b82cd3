import { type Signal, signal } from "@preact/signals";
import { Connection, type ConnectionStatus } from "../../../../src/snug-client/connection.ts";
import type { ServerEvent } from "../../../../src/wire/events.ts";
import type { Frame } from "../../../../src/wire/frames.ts";
import type { Me, Team } from "../../../../src/wire/models.ts";
import { createApi, type Fetch, type OnRefusal } from "../../connection/api.ts";
import { type Clock, realClock } from "../../connection/clock.ts";
import { LiveEvents } from "./live-events.ts";
import { createMergingApi } from "../events/responses.ts";
import { Load } from "../load.ts";
import type { State } from "../model/model.ts";
import { MyActivity } from "../activity/my-activity.ts";
import { MyConversations } from "../conversations/my-conversations.ts";
import { type EndPhase, PersonWatch, type Phase } from "./signed-in-person.ts";
import { MySections } from "../sidebar/my-sections.ts";
import { RoomSync } from "../timeline/room-sync.ts";
import type { Locks } from "../../connection/ownership.ts";
import type { Snapshots } from "../../connection/snapshots.ts";
import type { SharedStorage } from "../../connection/storage.ts";

type Handlers = {
  /** The session has ended, or accepts only the sign-in. */
  end(phase: EndPhase): void;
  onStatus(status: ConnectionStatus): void;
  onEvent(event: ServerEvent): void;
  /** Passes on what a response says as its event would. */
  notify(event: ServerEvent): void;
  onTeam(team: Team): void;
  /** A newer answer about me. */
  onMe(me: Me): void;
  /** The session belongs to another person now. */
  onOther(): void;
};

/** Builds the parts of a store and connects them with each other. Nothing is loaded yet. */
export function createParts(
  deps: StoreDeps,
  state: Signal<State>,
  phase: Signal<Phase>,
  { end, onStatus, onEvent, notify, onTeam, onMe, onOther }: Handlers,
) {
  const clock = deps.clock ?? realClock;
  const onRefusal = {
    signedOut: () => end("signed-out"),
    restricted: () => end("restricted"),
    prove: deps.prove,
  };
  const api = createMergingApi(createApi(deps.fetch, onRefusal, clock), {
    state,
    mergeTeam: onTeam,
    mergeMe: onMe,
    mergePlace: (place) => conversations.merge(place),
    onMentionsChanged: () => activity.ask(),
    notify,
  });
  const { openSocket: open, storage } = deps;
  const connection = new Connection({ open, clock, random: Math.random, onStatus, onEvent });
  const missing = signal(0);
  const onMissing = () => {
    missing.value += 1;
  };
  const send = (frame: Frame) => connection.send(frame);
  const sync = new RoomSync({ api, clock, state, send, onMissing });
  const activity = new MyActivity({ api, clock, state });
  const onMentionsChanged = () => activity.ask();
  const onGone = (roomId: string) => sync.forget(roomId);
  const conversations = new MyConversations({ api, clock, state, onMentionsChanged, onGone });
  const sections = new MySections({ api, clock, state });
  const live = new LiveEvents({ clock, state, conversations, sync, activity, sections });
  const person = new PersonWatch({ api, storage, phase, me: () => state.value.me, onOther });
  const me = new Load<Me>({
    clock,
    fetch: (signal) => api.call("GET /api/auth/me", {}, { signal }),
    land: (answer) => {
      if (person.isSame(answer.id)) onMe(answer);
    },
  });
  const lists = { activity, conversations, sections };
  return { api, clock, connection, missing, sync, ...lists, live, person, me };
}

export type Parts = ReturnType<typeof createParts>;

/** The parts of a page that the store gets, so that it needs no page. */
export type StoreDeps = {
  fetch: Fetch;
  openSocket(): WebSocket;
  storage: SharedStorage;
  /** Null where the browser has no Web Locks. */
  locks: Locks | null;
  snapshots?: Snapshots;
  /** Removes what else the browser has of the person: what was shared, notifications, the tab's storage. */
  forget?(): Promise<unknown>;
  /** Asks for the proof that a call needs. */
  prove?: OnRefusal["prove"];
  clock?: Clock;
};
