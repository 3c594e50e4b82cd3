import { NO_THREAD } from "../database/schema.ts";
import { SIGNAL_CHANNEL } from "../feed/channels.ts";
import type { Part } from "./part.ts";

/** The author's draft that was saved with the message's `client_id`: it becomes a tombstone. */
export const clearDraft: Part = {
  isNeeded: ({ clears_draft }) => clears_draft,
  columns: [
    {
      name: "cleared_id",
      type: "uuid",
      read: ({ clears_draft, client_id }) => (clears_draft ? client_id : null),
    },
  ],
  writes: `clearing as (
      update drafts d set content = null, quote_id = null, image_id = null, file_id = null,
        client_id = null, device = null, version = d.version + 1, updated_at = clock_timestamp()
      from numbered p
      where d.user_id = p.author_id and d.client_id = p.cleared_id and p.cleared_id is not null
        and (p.seq is not null or p.repeated_id is not null)
      returning d.user_id, d.room_id, d.thread_id
    ), cleared as (
      select pg_notify('${SIGNAL_CHANNEL}', json_build_object('kind', 'draft_changed',
        'user_id', user_id, 'room_id', room_id, 'thread_id', nullif(thread_id, '${NO_THREAD}'))::text)
      from clearing
    )`,
  runs: "cleared",
};
