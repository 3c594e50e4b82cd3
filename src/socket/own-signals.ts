import type { Signal } from "../feed/signals.ts";
import { readDraftCopy } from "../keeping/drafts.ts";
import { findSaved } from "../keeping/saved.ts";
import { readScheduledByIds } from "../keeping/scheduled.ts";
import type { SocketDeps } from "./hub.ts";

type OwnKind = "saved_changed" | "scheduled_changed" | "scheduled_failed" | "draft_changed";
/** A change of someone's saved messages, scheduled messages or drafts. */
type OwnSignal = Extract<Signal, { kind: OwnKind }>;

/** Sends the changed thing, as it is now, to its owner's sockets only. */
export async function handleOwnSignal(
  { database, sender }: Pick<SocketDeps, "database" | "sender">,
  signal: OwnSignal,
): Promise<void> {
  const { user_id } = signal;
  if (!sender.people.has(user_id)) return;
  switch (signal.kind) {
    case "saved_changed": {
      const { message_id } = signal;
      const saved = await findSaved(database.sql, user_id, message_id);
      sender.sendToUser(user_id, { type: "saved", message_id, saved });
      return;
    }
    case "scheduled_changed": {
      const found = await readScheduledByIds(database.sql, user_id, signal.ids);
      for (const id of signal.ids) {
        sender.sendToUser(user_id, { type: "scheduled", id, scheduled: found.get(id) ?? null });
      }
      return;
    }
    case "scheduled_failed": {
      const { id, code } = signal;
      sender.sendToUser(user_id, { type: "scheduled_failed", id, code });
      return;
    }
    case "draft_changed": {
      const place = { userId: user_id, roomId: signal.room_id, threadId: signal.thread_id };
      const draft = await readDraftCopy(database.sql, place);
      sender.sendToUser(user_id, { type: "draft", ...draft });
    }
  }
}
