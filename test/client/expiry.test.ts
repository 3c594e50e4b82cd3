import { signal } from "@preact/signals";
import { beforeEach, expect, test } from "bun:test";
import { withConversation } from "../../public/app/state/events/apply-event.ts";
import { expire } from "../../public/app/state/events/expire.ts";
import { watchExpiry } from "../../public/app/state/expiry.ts";
import { emptyState, type State } from "../../public/app/state/model/model.ts";
import { isMuted, readNews } from "../../public/app/state/model/unread.ts";
import type { Me, MyRoom } from "../../src/wire/models.ts";
import { makeRoom, ScriptedClock } from "../support/scripted.ts";

const MINUTE_MS = 60_000;
const at = (minutes: number) => new Date(minutes * MINUTE_MS).toISOString();

let clock: ScriptedClock;
let state: { value: State };
let ended: number;
let stop: () => void;
beforeEach(() => {
  clock = new ScriptedClock();
  ended = 0;
  state = signal({
    ...emptyState,
    me: { version: 1, push_paused_until: null } as Me,
    conversations: {},
  });
  stop = watchExpiry({
    state: state as never,
    clock,
    expire: (now) => (state.value = expire(state.value, now)),
    onMuteEnded: () => (ended += 1),
  });
});

/** A room with a new mention, as the service has it. */
function withRoom(id: string, muted_until: string | null, version = 1): void {
  const room = makeRoom(id);
  const news = { unread: true, mention_count: 1, muted_until, version };
  const membership = { ...room.membership, ...news } as MyRoom["membership"];
  state.value = withConversation(state.value, { ...room, membership });
}
const muted = () =>
  Object.values(state.value.conversations ?? {}).filter(({ membership }) => isMuted(membership))
    .length;

test("each mute ends at its time, and its room has its news again", async () => {
  withRoom("a", at(60));
  withRoom("b", at(90));
  expect(readNews(state.value.conversations?.a?.membership)).toMatchObject({
    isMuted: true,
    mutedUntil: at(60),
    isUnread: false,
  });
  await clock.pass(59 * MINUTE_MS);
  expect([muted(), ended]).toEqual([2, 0]);
  await clock.pass(MINUTE_MS);
  expect([muted(), ended]).toEqual([1, 1]);
  expect(readNews(state.value.conversations?.a?.membership)).toMatchObject({
    isMuted: false,
    mutedUntil: null,
    mentions: 1,
  });
  await clock.pass(30 * MINUTE_MS);
  expect([muted(), ended]).toEqual([0, 2]);
});

test("a device that has slept compares the time within a minute", async () => {
  withRoom("a", at(60));
  // The timer stood still meanwhile.
  clock.sleep(59.5 * MINUTE_MS);
  expect(muted()).toBe(1);
  await clock.pass(MINUTE_MS);
  expect(muted()).toBe(0);
});

test("a mute that is over, as a stored page may have it, is not shown", () => {
  clock.sleep(61 * MINUTE_MS);
  withRoom("a", at(60));
  expect(muted()).toBe(0);
});

test("a mute that is moved ends at its new time", async () => {
  withRoom("a", at(60));
  withRoom("a", at(120), 2);
  await clock.pass(60 * MINUTE_MS);
  expect(muted()).toBe(1);
  await clock.pass(60 * MINUTE_MS);
  expect(muted()).toBe(0);
});

test("the pause of notifications ends, and nothing after it was stopped", async () => {
  const paused = (minutes: number) => {
    state.value = { ...state.value, me: { version: 1, push_paused_until: at(minutes) } as Me };
  };
  paused(60);
  await clock.pass(60 * MINUTE_MS);
  expect(state.value.me?.push_paused_until).toBeNull();
  expect(ended).toBe(0);
  paused(120);
  stop();
  await clock.pass(60 * MINUTE_MS);
  expect(state.value.me?.push_paused_until).toBe(at(120));
});
