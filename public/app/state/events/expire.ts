import { type State, withLedger } from "../model/model.ts";

/**
 * Ends mutes and the pause of notifications that are over.
 * @param now in ms
 */
export function expire(state: State, now: number): State {
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
