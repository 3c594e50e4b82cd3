import type { Signal } from "@preact/signals";
import type { Me } from "../../../../src/wire/models.ts";
import { Outbox, type OutboxDeps } from "../../connection/outbox.ts";
import type { OutboxEntry } from "../../connection/outbox-entries.ts";
import { withSent } from "../model/message-list.ts";
import type { State } from "../model/model.ts";

type MyOutboxDeps = Pick<OutboxDeps, "storage" | "locks" | "clock" | "send"> & {
  me: Pick<Me, "id">;
};

/**
 * Messages of one person that are not known to be stored. Once stored, a message is shown in its
 * room at once.
 * @param entries notifies of changes of the waiting messages
 */
export function openOutbox(
  { me, ...deps }: MyOutboxDeps,
  state: Signal<State>,
  entries: Signal<OutboxEntry[]>,
): Outbox {
  const outbox = new Outbox({
    ...deps,
    key: `snug.outbox.${me.id}`,
    random: Math.random,
    newId: () => crypto.randomUUID(),
    onChange: (now) => {
      entries.value = now;
    },
    onSent: (message) => {
      state.value = withSent(state.value, message);
    },
  });
  entries.value = outbox.entries;
  return outbox;
}

/** After this many failed attempts the row offers to retry or discard. */
const MAX_QUIET_ATTEMPTS = 3;

/** Whether a waiting message needs a decision of its author. */
export function asksFor({ is_refused, attempts }: OutboxEntry): boolean {
  return is_refused || attempts >= MAX_QUIET_ATTEMPTS;
}
