import type { SqlClient } from "../../database/connect.ts";
import { type Loaded, logVersionOf, SeatCache } from "../../rooms/seat-cache.ts";
import type { ThreadQuery } from "../../wire/threads.ts";
import { checkAnchors, type PageOwner, readPageRows } from "../page-rows.ts";
import { areShared, type PageTexts, sizeOfTexts, textsFor, toPageTexts } from "../page-texts.ts";
import { toViewersMessage } from "../read.ts";
import { makeMessageNotFound } from "../refusals.ts";
import { readMessages } from "../statements.ts";
import { toRoot } from "./embeds.ts";
import { findThread } from "./read.ts";

const MAX_BYTES = 16 * 1024 * 1024;

/** A page of a thread as JSON: the root, then the replies. */
type Page = PageTexts & {
  /** What follows the replies, up to what the viewer has of the thread. */
  end: string;
};

/**
 * A cache of pages of threads, as the text that goes out. Whatever a page shows takes a number of its
 * room or counts the people's version, so those of the room are its too.
 */
export class ThreadPages {
  readonly #pages = new SeatCache<Page>(MAX_BYTES, sizeOfTexts);

  constructor(private readonly sql: SqlClient) {}

  /**
   * Reads a page of the thread of a message, the oldest reply first: the newest, or those before, after
   * or around one.
   * @returns the JSON of a `ThreadPage`
   * @throws Refusal of `findThread`; `validation`
   */
  async read(viewerId: string, messageId: string, query: ThreadQuery): Promise<string> {
    const { rootId, roomId, follow, seat } = await findThread(this.sql, viewerId, messageId);
    checkAnchors(query);
    const { before = "", after = "", around = "", limit } = query;
    const key = [rootId, before, after, around, limit].join(" ");
    const owner = { roomId, viewerId, lastSeq: seat.lastSeq, threadId: rootId };
    const page = await this.#pages.read(key, logVersionOf(seat), () => this.#load(owner, query));
    const [root, ...items] = textsFor(page, viewerId);
    return `{"root":${root},"items":[${items.join()}],${page.end},"follow":${JSON.stringify(follow)}}`;
  }

  async #load(owner: PageOwner & { threadId: string }, query: ThreadQuery): Promise<Loaded<Page>> {
    const { viewerId, threadId, lastSeq } = owner;
    const [{ rows, hasMoreBefore, hasMoreAfter }, [root]] = await Promise.all([
      readPageRows(this.sql, owner, query),
      readMessages(this.sql, [threadId], viewerId),
    ]);
    if (!root) throw makeMessageNotFound();
    const shown = toViewersMessage(root, viewerId);
    const ofReplies = { thread_id: threadId, root: toRoot(root.room_id, root, shown.thread) };
    const all = [root, ...rows];
    const value = {
      ...toPageTexts(all, (row) =>
        row === root ? shown : { ...toViewersMessage(row, viewerId), ...ofReplies },
      ),
      end: `"has_more_before":${hasMoreBefore},"has_more_after":${hasMoreAfter},"seq":${lastSeq}`,
    };
    return { value, isShared: areShared(all) };
  }
}
