import type { SqlClient } from "../database/connect.ts";
import { describeCause, getLogger } from "../platform/log.ts";
import { Coalescer } from "../platform/concurrency/coalesce.ts";
import { Slices } from "../platform/concurrency/slices.ts";
import type { Message } from "../wire/models.ts";
import { splitText } from "../wire/search-tokens.ts";
import { notifyInStatement } from "../feed/signals.ts";
import { announceReadMarks } from "../rooms/read-mark.ts";

const log = getLogger("keywords");

/**
 * Maximum number of messages waiting to be searched while the database is slow. Above it, keywords are
 * missed.
 */
const MAX_WAITING = 20_000;

/** The remaining words of a keyword after its first word, and the people who have the keyword. */
type Word = { otherWords: string[]; userIds: string[] };
type Index = ReadonlyMap<string, Word[]>;

type SearchedMessage = Pick<Message, "id" | "content">;
type Search = { message: SearchedMessage; resolve: () => void };

/**
 * Searches new messages for keywords asynchronously after they are posted, and stores the matches. The
 * index of all keywords is in memory, so a site without keywords pays only for a lookup in an empty
 * map.
 */
export class Keywords {
  /** Null until it is loaded, and after a change. */
  #index: Index | null = null;
  #changes = 0;
  readonly #searches = new Coalescer((searches: Search[]) => this.#handle(searches), {
    maxItems: 1_000,
    maxWaiting: MAX_WAITING,
  });

  constructor(private readonly sql: SqlClient) {}

  /** Searches new messages, which must be durable; resolves when their matches are stored. */
  async search(messages: SearchedMessage[]): Promise<void> {
    if (this.#index?.size === 0) return;
    await Promise.all(
      messages.map((message) => {
        const { promise, resolve } = Promise.withResolvers<void>();
        return this.#searches.add({ message, resolve }) ? promise : null;
      }),
    );
  }

  /**
   * Discards the index, so that the next message loads it again: keywords have changed, or a change may
   * have been missed.
   */
  forget(): void {
    this.#changes += 1;
    this.#index = null;
  }

  async #handle(searches: Search[]): Promise<void> {
    try {
      const index = this.#index ?? (await this.#read());
      const slices = new Slices();
      const matchesByMessage = await slices.map(searches, ({ message }) =>
        findMatches(index, message),
      );
      const matches = matchesByMessage.flat();
      if (matches.length > 0) {
        const hits = await insertKeywordHits(this.sql, matches);
        if (hits.length > 0) await announceKeywordHits(this.sql, hits);
      }
    } catch (error) {
      log.warn("New messages could not be searched for keywords.", { error: describeCause(error) });
    }
    for (const { resolve } of searches) resolve();
  }

  async #read(): Promise<Index> {
    const changes = this.#changes;
    const index = makeIndex(await readKeywordOwners(this.sql));
    // A change announced during the read invalidates the index for the next message.
    if (this.#changes === changes) this.#index = index;
    return index;
  }
}

/** Builds the index. Each word of a message is looked up once for all people. */
export function makeIndex(owners: KeywordOwner[]): Index {
  const index = new Map<string, Word[]>();
  for (const { id, keywords } of owners) {
    for (const keyword of keywords) {
      const [first, ...otherWords] = splitText(keyword).map(({ text }) => text);
      if (first === undefined) continue;
      const words = index.get(first) ?? [];
      index.set(first, words);
      const sameWord = words.find((word) => word.otherWords.join("\0") === otherWords.join("\0"));
      if (sameWord) sameWord.userIds.push(id);
      else words.push({ otherWords, userIds: [id] });
    }
  }
  return index;
}

/**
 * Finds the people whose keywords occur in a message as whole words, ignoring case and accents. Each
 * person is returned once.
 */
export function findMatches(index: Index, { id, content }: SearchedMessage): KeywordMatch[] {
  if (index.size === 0 || content === null) return [];
  const atoms = splitText(content);
  const userIds = new Set<string>();
  for (const [i, { text }] of atoms.entries()) {
    for (const { otherWords, userIds: owners } of index.get(text) ?? []) {
      const isHere = otherWords.every((word, n) => {
        const atom = atoms[i + 1 + n];
        return atom?.text === word && !atom.isSpaced;
      });
      if (isHere) for (const userId of owners) userIds.add(userId);
    }
  }
  return [...userIds].map((userId) => ({ messageId: id, userId }));
}

type KeywordOwner = { id: string; keywords: string[] };

function readKeywordOwners(sql: SqlClient) {
  return sql<KeywordOwner[]>`
    select id, keywords from users where keywords <> '{}' and is_active and not is_bot`;
}

/** A message that contains one of a person's keywords. */
type KeywordMatch = { messageId: string; userId: string };
type KeywordHit = { user_id: string; room_id: string };

/**
 * Stores keyword matches, except a person's own messages and those in rooms that the person is not
 * in.
 * @returns the people with new matches, and the rooms
 */
export function insertKeywordHits(sql: SqlClient, matches: KeywordMatch[]) {
  return sql<KeywordHit[]>`
    with hits as (
      insert into keyword_hits (message_id, user_id, room_id, seq, created_at)
      select m.id, x.user_id, m.room_id, m.seq, m.created_at
      from unnest(
        ${matches.map(({ messageId }) => messageId)}::uuid[],
        ${matches.map(({ userId }) => userId)}::uuid[]
      ) as x(message_id, user_id)
      join messages m on m.id = x.message_id
      join memberships ms on ms.room_id = m.room_id and ms.user_id = x.user_id and not ms.is_direct
      join users u on u.id = x.user_id and u.is_active
      where m.deleted_at is null and (m.author_id <> x.user_id or m.via_name is not null)
        and not exists (
          select from message_mentions n where n.message_id = m.id and n.user_id = x.user_id
        )
      order by m.id, x.user_id for share of m
      on conflict do nothing returning user_id, room_id
    )
    select distinct user_id, room_id from hits`;
}

/** Notifies these people's sockets of new activity and of the unread counts in these rooms. */
export async function announceKeywordHits(sql: SqlClient, hits: KeywordHit[]): Promise<void> {
  await announceReadMarks(
    sql,
    hits.map(({ user_id, room_id }) => ({ userId: user_id, roomId: room_id })),
  );
  await sql`
    select ${notifyInStatement(sql, "activity_updated", sql`'user_id', user_id`)}
    from (select distinct unnest(${hits.map((hit) => hit.user_id)}::uuid[]) as user_id) people`;
}
