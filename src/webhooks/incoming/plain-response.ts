import type { Refusal } from "../../platform/refusal.ts";
import { CODES, type Code } from "../../wire/codes.ts";

/** Slack's response to each refusal. Other codes are sent unchanged. */
const WORDS: Partial<Record<Code, [status: number, word: string]>> = {
  room_archived: [410, "channel_is_archived"],
  room_not_found: [404, "no_service"],
  not_found: [404, "no_service"],
  empty_message: [400, "no_text"],
  validation: [400, "invalid_payload"],
  bad_request: [400, "invalid_payload"],
  unauthenticated: [401, "invalid_signature"],
  cross_origin: [403, "action_prohibited"],
  // Never 429: senders of alerts drop the alert after 429, and retry after 503.
  rate_limited: [503, "service_unavailable"],
  unavailable: [503, "service_unavailable"],
  internal: [500, "server_error"],
};
const RETRY_SECONDS = 5;

/** Responds with a refusal in plain text, like Slack: senders compare it, and show it to people. */
export function toPlainResponse({ code, extensions }: Refusal): Response {
  const [status, word] = WORDS[code] ?? [CODES[code][0], code];
  const seconds = Math.max(1, Math.ceil(extensions.retryAfter ?? RETRY_SECONDS));
  return createPlainResponse(status, word, status === 503 ? { "retry-after": `${seconds}` } : {});
}

/** Responds in plain text, as senders of webhooks expect. */
export function createPlainResponse(
  status: number,
  text: string,
  extraHeaders: Record<string, string> = {},
): Response {
  const headers = { "content-type": "text/plain;charset=utf-8", "cache-control": "no-store" };
  return new Response(text, { status, headers: { ...headers, ...extraHeaders } });
}
