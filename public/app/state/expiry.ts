import { computed, effect, type ReadonlySignal } from "@preact/signals";
import type { Clock } from "../connection/clock.ts";
import type { State } from "./model/model.ts";

/** A timer stands still while the device sleeps, so the time is compared at least this often. */
const MAX_WAIT_MS = 60_000;

type ExpiryDeps = {
  state: ReadonlySignal<State>;
  clock: Clock;
  /** Ends in the state what is over. */
  expire(now: number): void;
  /** Called when a mute ends, because what was new in the conversation counts again. */
  onMuteEnded(): void;
};

/**
 * Ends mutes and the pause of notifications at their times, which no event announces.
 * @returns a function that stops it
 */
export function watchExpiry({ state, clock, expire, onMuteEnded }: ExpiryDeps): () => void {
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
      expire(now);
      if (state.peek().conversations !== before.conversations) onMuteEnded();
    };
    check();
    return () => cancel();
  });
}

type Room = NonNullable<State["conversations"]>[string];
const mutedUntil = ({ membership }: Room) => membership?.muted_until;
