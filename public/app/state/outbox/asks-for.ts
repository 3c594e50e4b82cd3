import type { OutboxEntry } from "../../connection/outbox-entries.ts";

/** After this many failed attempts the row offers to retry or discard. */
const MAX_QUIET_ATTEMPTS = 3;

/** Whether a waiting message needs a decision of its author. */
export function asksFor({ is_refused, attempts }: OutboxEntry): boolean {
  return is_refused || attempts >= MAX_QUIET_ATTEMPTS;
}
