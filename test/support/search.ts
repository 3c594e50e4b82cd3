import { expect } from "bun:test";
import type { Database } from "../../src/database/connect.ts";
import { SHARDS, backfillShard, indexShards } from "../../src/search/index-rooms.ts";
import type { SearchResults } from "../../src/wire/models.ts";
import type { Client } from "./client.ts";

/** Indexes all that was posted until now, as the service's jobs are about to, or older messages too. */
export async function indexEverything({ sql }: Database, withBackfill = false): Promise<void> {
  const { signal } = new AbortController();
  for (let shard = 0; shard < SHARDS; shard += 1) {
    await indexShards(sql, [shard], signal);
    if (withBackfill) await backfillShard(sql, shard, signal, async () => {});
  }
}

/** What a search answers. */
export async function search(
  client: Client,
  query: Record<string, string | string[]>,
): Promise<SearchResults> {
  const params = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    for (const item of [value].flat()) params.append(name, item);
  }
  const answer = await client.get(`/api/search/messages?${params}`);
  expect(answer).toMatchObject({ status: 200 });
  return answer.body;
}

/** The texts that a search finds, in order. */
export async function findTexts(client: Client, q: string, more = {}): Promise<string[]> {
  const { items } = await search(client, { q, ...more });
  return items.map(({ message }) => message.content ?? "");
}
