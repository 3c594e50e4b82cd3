import { LRUCache } from "lru-cache";
import type { Database } from "../database/connect.ts";
import { Refusal } from "../platform/refusal.ts";
import { createBucket, takeToken, type TokenBucket } from "../platform/token-bucket.ts";
import type { Actor } from "../routing/actor.ts";
import { route } from "../routing/route.ts";
import { SEARCH_RATE } from "../wire/limits.ts";
import { SearchResults } from "../wire/models.ts";
import { SearchMessagesQuery } from "../wire/queries.ts";
import { searchMessages } from "./search.ts";
import type { SearchSlots } from "./slots.ts";

/** People whose searches are counted at a time; one who is forgotten has a full bucket again. */
const MAX_BUCKETS = 10_000;

/** The search of messages. @param slots shares a few connections among all searches */
export const searchRoutes = (database: Database, slots: SearchSlots) => {
  const buckets = new LRUCache<string, TokenBucket>({ max: MAX_BUCKETS });
  /** @throws Refusal `rate_limited`, for people: bots wait for their turn */
  const countSearch = ({ id, token }: Actor) => {
    if (token) return;
    const bucket = buckets.get(id) ?? createBucket(SEARCH_RATE);
    buckets.set(id, bucket);
    if (takeToken(bucket, SEARCH_RATE)) return;
    throw new Refusal("rate_limited", "Too many searches. Wait a moment, then try again.", {
      retryAfter: 1,
    });
  };
  return [
    route("GET /api/search/messages", {
      access: "read:messages",
      summary: "Search the messages of the caller's rooms",
      description:
        "Newest first, in the rooms that the caller is a member of now. Parameters and `q` must all match. The answer says how far the search has come; `next` goes on from there.",
      query: SearchMessagesQuery,
      answers: { 200: SearchResults },
      errors: [
        ...(["empty_query", "query_too_wide", "query_too_long", "too_many_parts"] as const),
        ...(["room_not_found", "not_a_member", "message_not_found"] as const),
        ...(["rate_limited", "search_busy"] as const),
      ],
      run({ actor, query }) {
        countSearch(actor);
        return searchMessages({ database, slots }, actor.id, query);
      },
    }),
  ];
};
