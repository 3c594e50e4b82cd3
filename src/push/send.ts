import { generateRequestDetails } from "web-push";
import type { Egress } from "../platform/egress/egress.ts";
import { EgressError } from "../platform/egress/error.ts";
import type { Subscription } from "./subscriptions.ts";
import type { Vapid } from "./vapid.ts";

/**
 * What became of one push: `gone` the subscription is no more; `refused` no further try can mend it;
 * `later` it may work in `seconds`, null where the push service said nothing of when.
 */
export type Delivery =
  | { type: "delivered" }
  | { type: "gone" }
  | { type: "refused"; reason: string }
  | { type: "later"; reason: string; seconds: number | null; hasTimedOut?: boolean };

/** How a push service is to treat it (RFC 8030, 5.2 to 5.4). */
export type Manner = {
  /** Seconds that it is kept for a browser that is away. */
  ttl: number;
  urgency: "normal" | "high";
  /** Of those that wait for a browser, one of a topic is kept: at most 32 characters, base64url. */
  topic?: string;
  timeoutMs?: number;
};

const TIMEOUT_MS = 10_000;
const MOST_SECONDS = 3_600;
/** No address of these leads to a push service, however often it is tried. */
const HOPELESS = new Set(["bad_url", "not_public"]);

/**
 * Encrypts a payload for one browser (RFC 8291) and hands it to its push service.
 * @throws the signal's reason when it is aborted
 */
export async function send(
  egress: Pick<Egress, "request">,
  vapid: Vapid,
  subscription: Subscription,
  payload: string,
  { ttl, urgency, topic, timeoutMs = TIMEOUT_MS }: Manner,
  signal?: AbortSignal,
): Promise<Delivery> {
  const { endpoint, p256dh, auth } = subscription;
  const { headers, body } = generateRequestDetails({ endpoint, keys: { p256dh, auth } }, payload, {
    vapidDetails: vapid,
    TTL: ttl,
    urgency,
    ...(topic ? { topic } : {}),
  });
  try {
    const answer = await egress.request(endpoint, {
      method: "POST",
      headers: lowerCase(headers),
      body,
      maxBytes: 0,
      timeoutMs,
      signal,
    });
    answer.close();
    return judge(answer.status, answer.headers["retry-after"]);
  } catch (error) {
    if (!(error instanceof EgressError)) throw error;
    if (HOPELESS.has(error.reason)) return { type: "refused", reason: error.message };
    const hasTimedOut = error.reason === "timeout";
    return { type: "later", reason: error.message, seconds: null, hasTimedOut };
  }
}

function judge(status: number, retryAfter: string | undefined): Delivery {
  if (status >= 200 && status < 300) return { type: "delivered" };
  if (status === 404 || status === 410) return { type: "gone" };
  const reason = `the push service answered ${status}`;
  if (status !== 429 && status < 500) return { type: "refused", reason };
  return { type: "later", reason, seconds: secondsOf(retryAfter) };
}

/** `Retry-After` is a number of seconds or a date (RFC 9110, 10.2.3). */
function secondsOf(retryAfter: string | undefined): number | null {
  if (retryAfter === undefined) return null;
  const text = retryAfter.trim();
  const seconds = /^\d+$/.test(text) ? Number(text) : (Date.parse(text) - Date.now()) / 1_000;
  return Number.isNaN(seconds) ? null : Math.min(MOST_SECONDS, Math.max(0, seconds));
}

function lowerCase(headers: Record<string, unknown>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name.toLowerCase(), String(value)]),
  );
}
