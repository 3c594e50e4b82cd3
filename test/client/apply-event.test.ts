import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { applyEvent } from "../../public/app/state/events/apply-event.ts";
import type { State } from "../../public/app/state/model/model.ts";
import type { ServerEvent } from "../../src/wire/events.ts";
import type { Client } from "../support/client.ts";
import { World } from "../support/world.ts";
import { DIRECTS } from "./events/directs.ts";
import { KEEPING } from "./events/keeping.ts";
import { MESSAGES, UNREAD } from "./events/messages.ts";
import { PEOPLE, ROOMS } from "./events/rooms.ts";
import { type Cases, type EventType, Stage } from "./events/stage.ts";

/** Told only of a socket, or of what passes by itself: nothing that is shown afresh changes. */
type Quiet = ServerEvent[];

const id = Bun.randomUUIDv7();
const QUIET = {
  joined: [{ type: "joined", room_id: id, seq: 1 }],
  team_updated: [
    {
      type: "team_updated",
      team: {
        name: "Acme",
        is_named: true,
        logo_url: null,
        is_empty: false,
        setup_step: 4,
        version: 1,
      },
    },
  ],
  left: [{ type: "left", room_id: id }],
  pong: [{ type: "pong" }],
  error: [{ type: "error", code: "room_not_found", detail: "" }],
} satisfies Partial<Record<EventType, Quiet>>;

/** How long someone types is nobody's history. */
const PASSING = {
  typing: {
    "by another": async (stage) => {
      const socket = await stage.ada.socket();
      await socket.join(stage.roomId);
      socket.send({ type: "typing", room_id: stage.roomId });
      await stage.until((state) => stage.ada.user.id in (state.views[stage.roomId]?.typing ?? {}));
      await stage.expectFresh();
      socket.close();
    },
    "by one who is removed then": async (stage) => {
      const carol = await stage.world.person(`carol-${stage.n}`);
      await stage.ada.post(`/api/rooms/${stage.roomId}/members`, { user_id: carol.user.id });
      await stage.until((state) => state.views[stage.roomId]?.members?.length === 3);
      const socket = await carol.socket();
      await socket.join(stage.roomId);
      socket.send({ type: "typing", room_id: stage.roomId });
      const isTyping = (state: State) => carol.user.id in (state.views[stage.roomId]?.typing ?? {});
      await stage.until(isTyping);
      await stage.ada.delete(`/api/rooms/${stage.roomId}/members/${carol.user.id}`);
      await stage.until((state) => state.views[stage.roomId]?.members?.length === 2);
      expect(isTyping(stage.state)).toBe(false);
      socket.close();
    },
  },
} satisfies Partial<Record<EventType, Cases>>;

/** Every event has its cases: one that is left out does not compile. */
const EVENTS: Record<EventType, Cases | Quiet> = {
  ...MESSAGES,
  ...UNREAD,
  ...ROOMS,
  ...PEOPLE,
  ...DIRECTS,
  ...KEEPING,
  ...PASSING,
  ...QUIET,
};

let world: World;
let ada: Client;
let bob: Client;
let stage: Stage;
beforeAll(async () => {
  world = await World.start();
  ada = await world.person("ada");
  bob = await world.person("bob");
});
afterAll(() => world.stop());
beforeEach(async () => {
  stage = await Stage.set(world, ada, bob);
});
afterEach(() => stage.close());

describe("state after an event equals state loaded afresh", () => {
  const all = Object.entries(EVENTS).flatMap(([type, cases]) =>
    Array.isArray(cases)
      ? []
      : Object.entries(cases).map(([name, run]) => [type as EventType, name, run] as const),
  );
  test.each(all)("%s %s", async (type, _, run) => {
    await run(stage);
    expect([...stage.heard]).toContain(type);
  });

  test.each(Object.entries(QUIET))("%s changes nothing", (_, events) => {
    const { state } = stage;
    for (const event of events) expect(applyEvent(state, event, Date.now())).toBe(state);
  });
});

describe("a page that was away", () => {
  test("catches up with its number and ends with the stored list", async () => {
    const { live, roomId } = stage;
    await ada.say(roomId, "seen");
    await stage.until((state) => stage.texts(state)?.length === 1);
    live.sync.setHidden(true);
    const { id } = await ada.say(roomId, "missed");
    await ada.say(roomId, "missed too");
    await ada.patch(`/api/messages/${id}`, { content: "missed, edited" });
    live.sync.setHidden(false);
    await stage.until((state) => stage.texts(state)?.length === 3);
    expect(stage.texts()).toEqual(["seen", "missed, edited", "missed too"]);
  });
});
