import type { Message } from "../../../src/wire/models.ts";
import { readUpTo } from "./ledger.ts";
import { type State, withLedger, wrote } from "./model.ts";

/** Whether it is someone else's and mentions me. */
export function mentionsMe({ me }: State, message: Message): boolean {
  return !wrote(me, message) && message.mentions.some(({ user_id }) => user_id === me?.id);
}

/**
 * The state in which all of a room up to a time is read, before the service has said so.
 * @param lastReadAt when the newest message that was seen was written
 */
export function applyRead(state: State, roomId: string, lastReadAt: string): State {
  const ledger = state.ledgers[roomId];
  return ledger ? withLedger(state, roomId, readUpTo(ledger, lastReadAt)) : state;
}
