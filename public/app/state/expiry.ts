import { computed, effect, type Signal } from "@preact/signals";
import type { Clock } from "../connection/clock.ts";
import { type State, withLedger } from "./model/model.ts";

/** A timer stands still while the device sleeps, so the time is compared at least this often. */
const MAX_WAIT_MS = 60_000;

type ExpiryDeps = {
  state: Signal<State>;
  clock: Clock;
  /** Called when a mute ends, because what was new in the conversation counts again. */
  onMuteEnded(): void;
};

/**
 * Ends mutes and the pause of notifications at their times, which no event announces.
 * @returns a function that stops it
 */
export function watchExpiry({ state, clock, onMuteEnded }: ExpiryDeps): () => void {
  const conversations = computed(() => state.value.conversations);
  const pause = computed(() => state.value.me?.push_paused_until);
  const next = computed(() => {
    const mutes = Object.values(conversations.value ?? {}).map((room) => mutedUntil(room));
    return Math.min(
      ...[...mutes, pause.value].map((at) => (at == null ? Infinity : Date.parse(at))),
    );
  });
  return effect(() => {
    const at = next.value;
    if (at === Infinity) return;
    let cancel = () => {};
    const check = () => {
      const now = clock.now();
      if (now < at) {
        cancel = clock.after(Math.min(at - now, MAX_WAIT_MS), check);
        return;
      }
      const before = state.peek();
      state.value = expire(before, now);
      if (state.peek().conversations !== before.conversations) onMuteEnded();
    };
    check();
    return () => cancel();
  });
}

type Room = NonNullable<State["conversations"]>[string];
const mutedUntil = ({ membership }: Room) => membership?.muted_until;

/** @param now in ms */
function expire(state: State, now: number): State {
  const isExpired = (at: string | null | undefined) => at != null && Date.parse(at) <= now;
  const { me } = state;
  let next = isExpired(me?.push_paused_until)
    ? { ...state, me: me && { ...me, push_paused_until: null } }
    : state;
  for (const [id, { ledger, membership }] of Object.entries(state.conversations ?? {})) {
    const { room } = ledger ?? {};
    if (!ledger || !room?.membership || !isExpired(membership?.muted_until)) continue;
    const ended = { ...room, membership: { ...room.membership, muted_until: null } };
    next = withLedger(next, id, { ...ledger, room: ended });
  }
  return next;
}
