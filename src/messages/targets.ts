import { sql } from "drizzle-orm";
import type { Query } from "../database/connect.ts";
import type { RoomRow } from "../rooms/access.ts";
import { makeThreadsOff, makeUnknownQuote, makeUnknownThread } from "./refusals.ts";

/** What a message that is not posted yet replies to and quotes. */
export type Targets = { threadId: string | null; quoteId: string | null };

/**
 * Checks what a message that is posted later names, by the rules of the statement that posts it
 * (`threads/reply-parts.ts` and `statement-parts.ts`), which checks it again.
 * @throws Refusal `unknown_thread`, `threads_off`, `unknown_quote`
 */
export async function checkTargets(
  tx: Query,
  room: RoomRow,
  { threadId, quoteId }: Targets,
): Promise<void> {
  if (threadId === null && quoteId === null) return;
  const [found] = await tx.execute<{ root: boolean; thread: boolean; quote: boolean }>(sql`
    with root as (
      select id from messages
      where id = (select coalesce(thread_id, id) from messages where id = ${threadId}::uuid)
        and room_id = ${room.id} and deleted_at is null
    )
    select exists (select from root) as root,
      exists (select from threads where message_id = (select id from root)) as thread,
      exists (
        select from messages
        where id = ${quoteId}::uuid and room_id = ${room.id} and deleted_at is null
      ) as quote`);
  if (threadId !== null) {
    if (!found?.root) throw makeUnknownThread();
    const isOff = room.kind === "direct" || (room.threads === "off" && !found.thread);
    if (isOff) throw makeThreadsOff();
  }
  if (quoteId !== null && !found?.quote) throw makeUnknownQuote();
}
