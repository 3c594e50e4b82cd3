import type { SqlClient } from "../database/connect.ts";
import { describeCause } from "../platform/cause.ts";
import { Coalescer } from "../platform/coalesce.ts";
import { getLogger } from "../platform/log.ts";
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

/** Messages that wait to be looked through while the database is slow; past them words are missed. */
const MAX_WAITING = 20_000;

/** One word of someone or of several: its atoms, and whose it is. */
type Word = { rest: string[]; userIds: string[] };
/** Words by their first atom. */
type Index = ReadonlyMap<string, Word[]>;

/** A posted message, as far as words are looked for in it. */
type Posted = Pick<Message, "id" | "content">;

/**
 * Looks for people's words in new messages, beside the write path, and notes whom they reach. The index
 * of all words is in memory: a site without any pays a look at an empty map.
 */
export class Keywords {
  /** Null until it is read, and after a change. */
  #index: Index | null = null;
  #changes = 0;
  readonly #posted = new Coalescer((messages: Posted[]) => this.#handle(messages), {
    maxItems: 1_000,
    maxWaiting: MAX_WAITING,
  });

  /** @param onDone called with the ids of messages once those whom their words reach are noted */
  constructor(
    private readonly sql: SqlClient,
    private readonly onDone: (messageIds: string[]) => void,
  ) {}

  /** New messages, once they are durable. */
  add(messages: Posted[]): void {
    if (this.#index?.size === 0) {
      this.onDone(messages.map(({ id }) => id));
      return;
    }
    const refused = messages.filter((message) => !this.#posted.add(message));
    if (refused.length > 0) this.onDone(refused.map(({ id }) => id));
  }

  /** Someone has changed their words, or a change may have been missed. */
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
      const matches = messages.flatMap((message) => findMatches(index, message));
      if (matches.length > 0) {
        const hits = await insertKeywordHits(this.sql, matches);
        if (hits.length > 0) await announceKeywordHits(this.sql, hits);
      }
    } catch (error) {
      log.warn("Words of people could not be looked for.", { error: describeCause(error) });
    }
    this.onDone(messages.map(({ id }) => id));
  }

  async #read(): Promise<Index> {
    const changes = this.#changes;
    const index = makeIndex(await readKeywordOwners(this.sql));
    // A change that was announced meanwhile is read with the next message.
    if (this.#changes === changes) this.#index = index;
    return index;
  }
}

/** Makes the index in which a message's words are looked up, once for all people. */
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

/** Whose words a message has, each person once: whole words, however they are written. */
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
