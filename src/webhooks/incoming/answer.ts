import { CODES, type Code } from "../../wire/codes.ts";
import type { Refusal } from "../../platform/refusal.ts";

/** What a posting program is answered instead of `ok`: a status, and one word in plain text. */
export class Answer extends Error {
  override readonly name = "Answer";

  constructor(
    readonly status: number,
    word: string,
  ) {
    super(word);
  }
}

/** Slack's words for what is refused; a code that is not here is its own word. */
const WORDS: Partial<Record<Code, [status: number, word: string]>> = {
  room_archived: [410, "channel_is_archived"],
  room_not_found: [404, "no_service"],
  not_found: [404, "no_service"],
  empty_message: [400, "no_text"],
  validation: [400, "invalid_payload"],
  bad_request: [400, "invalid_payload"],
  cross_origin: [403, "action_prohibited"],
  // Never 429: alert senders drop what is refused so, and send again what is met with 503.
  rate_limited: [503, "service_unavailable"],
  unavailable: [503, "service_unavailable"],
  internal: [500, "server_error"],
};
const RETRY_SECONDS = 5;

/** A refusal as Slack answers, in plain text: alert senders compare it, and show it to people. */
export function toPlainResponse({ code, more }: Refusal): Response {
  const [status, word] = WORDS[code] ?? [CODES[code][0], code];
  const seconds = Math.max(1, Math.ceil(more.retryAfter ?? RETRY_SECONDS));
  return plainResponse(status, word, status === 503 ? { "retry-after": String(seconds) } : {});
}

export function plainResponse(
  status: number,
  text: string,
  more: Record<string, string> = {},
): Response {
  const headers = { "content-type": "text/plain;charset=utf-8", "cache-control": "no-store" };
  return new Response(text, { status, headers: { ...headers, ...more } });
}
