import type { Egress } from "../platform/egress/egress.ts";
import { EgressError } from "../platform/egress/error.ts";
import type { Subscription } from "./subscriptions.ts";
import type { Vapid } from "./vapid.ts";

/**
 * The result of a push. `gone`: the subscription no longer exists. `refused`: a retry cannot succeed.
 * `later`: retry after `seconds`, null if the push service did not say when.
 */
export type PushResult =
  | { type: "delivered" }
  | { type: "gone" }
  | { type: "refused"; reason: string }
  | { type: "later"; reason: string; seconds: number | null; hasTimedOut?: boolean };

/** Options for the push service (RFC 8030, 5.2 to 5.4). */
export type PushOptions = {
  /** How long the push service stores the push while the browser is offline, in seconds. */
  ttl: number;
  urgency: "normal" | "high";
  /** Replaces a stored push with the same topic: at most 32 characters, base64url. */
  topic?: string;
  timeoutMs?: number;
};

const TIMEOUT_MS = 10_000;
const MAX_RETRY_SECONDS = 3_600;
/** Errors of the URL itself, which a retry cannot fix. */
const PERMANENT = new Set(["bad_url", "not_public"]);

/**
 * Encrypts a payload for one browser (RFC 8291) and sends it to its push service.
 * @throws the signal's reason when it is aborted
 */
export async function sendPush(
  egress: Pick<Egress, "request">,
  vapid: Vapid,
  subscription: Subscription,
  payload: string,
  { ttl, urgency, topic, timeoutMs = TIMEOUT_MS }: PushOptions,
  signal?: AbortSignal,
): Promise<PushResult> {
  const { endpoint, p256dh, auth } = subscription;
  // Loaded on first use.
  const { generateRequestDetails } = await import("web-push");
  const { headers, body } = generateRequestDetails({ endpoint, keys: { p256dh, auth } }, payload, {
    vapidDetails: vapid,
    TTL: ttl,
    urgency,
    ...(topic ? { topic } : {}),
  });
  try {
    const response = await egress.request(endpoint, {
      method: "POST",
      headers: lowerCaseNames(headers),
      body,
      maxBytes: 0,
      timeoutMs,
      signal,
    });
    response.close();
    return toResult(response.status, response.headers["retry-after"]);
  } catch (error) {
    if (!(error instanceof EgressError)) throw error;
    if (PERMANENT.has(error.reason)) return { type: "refused", reason: error.message };
    const hasTimedOut = error.reason === "timeout";
    return { type: "later", reason: error.message, seconds: null, hasTimedOut };
  }
}

/** Statuses to retry. Edge's push service throttles with 406. */
const TEMPORARY = new Set([406, 408, 425, 429]);

function toResult(status: number, retryAfter: string | undefined): PushResult {
  if (status >= 200 && status < 300) return { type: "delivered" };
  if (status === 404 || status === 410) return { type: "gone" };
  const reason = `the push service answered ${status}`;
  if (!TEMPORARY.has(status) && status < 500) return { type: "refused", reason };
  return { type: "later", reason, seconds: parseRetryAfter(retryAfter) };
}

/** `Retry-After` is a number of seconds or a date (RFC 9110, 10.2.3). */
function parseRetryAfter(retryAfter: string | undefined): number | null {
  if (retryAfter === undefined) return null;
  const text = retryAfter.trim();
  const seconds = /^\d+(?:\.\d+)?$/.test(text)
    ? Number(text)
    : (Date.parse(text) - Date.now()) / 1_000;
  return Number.isNaN(seconds) ? null : Math.min(MAX_RETRY_SECONDS, Math.max(0, seconds));
}

function lowerCaseNames(headers: Record<string, unknown>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name.toLowerCase(), String(value)]),
  );
}
