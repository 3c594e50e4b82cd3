import { LRUCache } from "lru-cache";
import type { Database } from "../database/connect.ts";
import { Refusal } from "../platform/refusal.ts";
import { Slices } from "../platform/concurrency/slices.ts";
import {
  chargeTokens,
  createBucket,
  secondsToToken,
  takeToken,
  type TokenBucket,
} from "../platform/concurrency/token-bucket.ts";
import type { Actor } from "../routing/actor.ts";
import { route } from "../routing/route.ts";
import { SEARCH_RATE } from "../wire/limits.ts";
import { SearchResults } from "../wire/models.ts";
import { SearchMessagesQuery } from "../wire/queries.ts";
import { searchMessages, type SearchSlots } from "./search.ts";

/** Search time per token of the rate limit: one person gets at most a tenth of a core. */
const MS_PER_TOKEN = 20;
/** Maximum number of people with a token bucket. Evicted people start with a full bucket. */
const MAX_BUCKETS = 10_000;

/** @param slots limits concurrent searches */
export const searchRoutes = (database: Database, slots: SearchSlots) => {
  const buckets = new LRUCache<string, TokenBucket>({ max: MAX_BUCKETS });
  const bucketOf = (userId: string) => {
    const bucket = buckets.get(userId) ?? createBucket(SEARCH_RATE);
    buckets.set(userId, bucket);
    return bucket;
  };
  /** @throws Refusal `rate_limited` for people; bots wait instead */
  const countSearch = ({ id, token }: Actor) => {
    if (token) return;
    const bucket = bucketOf(id);
    if (takeToken(bucket, SEARCH_RATE)) return;
    throw new Refusal("rate_limited", "Too many searches. Wait a moment, then try again.", {
      retryAfter: secondsToToken(bucket, SEARCH_RATE),
    });
  };
  return [
    route("GET /api/search/messages", {
      access: "read:messages",
      summary: "Search the messages of the caller's rooms",
      description:
        "Newest first by default, in the rooms that the caller is a member of now. Parameters and `q` must all match. The answer says how far the search has come; `next` goes on from there.",
      query: SearchMessagesQuery,
      responses: { 200: SearchResults },
      errors: [
        ...(["empty_query", "query_too_wide", "query_too_long", "too_many_parts"] as const),
        ...(["room_not_found", "not_a_member", "message_not_found"] as const),
        ...(["rate_limited", "search_busy"] as const),
      ],
      async handler({ actor, query }) {
        countSearch(actor);
        const slices = new Slices();
        try {
          return await searchMessages({ database, slots }, actor.id, query, slices);
        } finally {
          chargeTokens(bucketOf(actor.id), SEARCH_RATE, slices.usedMs / MS_PER_TOKEN);
        }
      },
    }),
  ];
};
