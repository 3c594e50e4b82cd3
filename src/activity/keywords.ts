import type { SqlClient } from "../database/connect.ts";
import { describeCause } from "../platform/cause.ts";
import { Coalescer } from "../platform/coalesce.ts";
import { getLogger } from "../platform/log.ts";
import { Slices } from "../platform/slices.ts";
import type { Message } from "../wire/models.ts";
import { splitText } from "../wire/search-tokens.ts";
import {
  announceKeywordHits,
  insertKeywordHits,
  type KeywordMatch,
  type KeywordOwner,
  readKeywordOwners,
} from "./keyword-statements.ts";

const log = getLogger("keywords");

/**
 * Messages that wait to be searched for keywords while the database is slow; beyond it, keywords
 * are missed.
 */
const MAX_WAITING = 20_000;

/** A keyword after its first part, and the people who have it. */
type Word = { rest: string[]; userIds: string[] };
/** Keywords by their first part. */
type Index = ReadonlyMap<string, Word[]>;

/** What is searched of a posted message. */
type Posted = Pick<Message, "id" | "content">;

/**
 * Searches new messages for people's keywords, beside the write path, and stores the matches. The
 * index of all keywords is in memory: a site without any pays for a look-up in an empty map.
 */
export class Keywords {
  /** Null until it is read, and again after a change. */
  #index: Index | null = null;
  #changes = 0;
  readonly #posted = new Coalescer((messages: Posted[]) => this.#handle(messages), {
    maxItems: 1_000,
    maxWaiting: MAX_WAITING,
  });

  /** @param onDone called with the ids of messages once their matches are stored */
  constructor(
    private readonly sql: SqlClient,
    private readonly onDone: (messageIds: string[]) => void,
  ) {}

  /** Adds new messages, once they are durable. */
  add(messages: Posted[]): void {
    if (this.#index?.size === 0) {
      this.onDone(messages.map(({ id }) => id));
      return;
    }
    const refused = messages.filter((message) => !this.#posted.add(message));
    if (refused.length > 0) this.onDone(refused.map(({ id }) => id));
  }

  /**
   * Reads the keywords again with the next message: someone changed theirs, or a change may have
   * been missed.
   */
  forget(): void {
    this.#changes += 1;
    this.#index = null;
  }

  /** Resolves when nothing waits. */
  idle(): Promise<void> {
    return this.#posted.flush();
  }

  async #handle(messages: Posted[]): Promise<void> {
    try {
      const index = this.#index ?? (await this.#read());
      const slices = new Slices();
      const matchesByMessage = await slices.map(messages, (message) => findMatches(index, message));
      const matches = matchesByMessage.flat();
      if (matches.length > 0) {
        const hits = await insertKeywordHits(this.sql, matches);
        if (hits.length > 0) await announceKeywordHits(this.sql, hits);
      }
    } catch (error) {
      log.warn("New messages could not be searched for keywords.", { error: describeCause(error) });
    }
    this.onDone(messages.map(({ id }) => id));
  }

  async #read(): Promise<Index> {
    const changes = this.#changes;
    const index = makeIndex(await readKeywordOwners(this.sql));
    // A change that is announced during the read is read with the next message.
    if (this.#changes === changes) this.#index = index;
    return index;
  }
}

/** Builds the index, with which the words of a message are looked up once for all people. */
export function makeIndex(owners: KeywordOwner[]): Index {
  const index = new Map<string, Word[]>();
  for (const { id, keywords } of owners) {
    for (const keyword of keywords) {
      const [first, ...rest] = splitText(keyword).map(({ text }) => text);
      if (first === undefined) continue;
      const words = index.get(first) ?? [];
      index.set(first, words);
      const known = words.find((word) => word.rest.join("\0") === rest.join("\0"));
      if (known) known.userIds.push(id);
      else words.push({ rest, userIds: [id] });
    }
  }
  return index;
}

/**
 * Finds the people whose keywords a message contains, each once: as whole words, whatever their
 * case or accents.
 */
export function findMatches(index: Index, { id, content }: Posted): KeywordMatch[] {
  if (index.size === 0 || content === null) return [];
  const atoms = splitText(content);
  const userIds = new Set<string>();
  for (const [i, { text }] of atoms.entries()) {
    for (const { rest, userIds: owners } of index.get(text) ?? []) {
      const isHere = rest.every((wanted, n) => {
        const atom = atoms[i + 1 + n];
        return atom?.text === wanted && !atom.isSpaced;
      });
      if (isHere) for (const userId of owners) userIds.add(userId);
    }
  }
  return [...userIds].map((userId) => ({ messageId: id, userId }));
}
