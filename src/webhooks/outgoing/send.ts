import type { Egress, EgressAnswer } from "../../platform/egress/egress.ts";
import { EgressError, type EgressReason } from "../../platform/egress/error.ts";
import { signatureOf } from "./secret.ts";

const TIMEOUT_MS = 15_000;
const ANSWER_BYTES = 1_024;
const USER_AGENT = "Snug-Webhooks/1.0";

export type Letter = {
  /** The `webhook-id`. */
  id: string;
  url: string;
  /** Those that sign, the newest first. */
  secrets: string[];
  /** Seconds since 1970. */
  timestamp: number;
  body: string;
  timeoutMs?: number;
};

/** What came of a try. Without `error` it is done. */
export type Result = {
  /** Null where no answer came. */
  status: number | null;
  /** A sentence for the room's admins. */
  error: string | null;
  durationMs: number;
  /** The first part of the answer. */
  answer: string | null;
  hasTimedOut: boolean;
};

/**
 * Sends a delivery once, as Standard Webhooks 1.0 has it. The address is checked now, and the
 * connection goes to the very address that was checked; a redirect is not followed.
 * @throws the reason of `signal` when it is aborted: nothing is known of the try then
 */
export async function send(egress: Egress, letter: Letter, signal?: AbortSignal): Promise<Result> {
  const { id, url, secrets, timestamp, body, timeoutMs = TIMEOUT_MS } = letter;
  const started = performance.now();
  const durationMs = () => Math.round(performance.now() - started);
  try {
    const answer = await egress.request(url, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        "user-agent": USER_AGENT,
        "webhook-id": id,
        "webhook-timestamp": String(timestamp),
        "webhook-signature": signatureOf(secrets, { id, timestamp, body }),
      },
      body,
      maxBytes: ANSWER_BYTES,
      timeoutMs,
      signal,
    });
    const { status } = answer;
    const text = await firstPart(answer);
    signal?.throwIfAborted();
    const error = errorOf(status);
    return { status, error, durationMs: durationMs(), answer: text, hasTimedOut: false };
  } catch (error) {
    signal?.throwIfAborted();
    if (!(error instanceof EgressError)) throw error;
    const words = WORDS[error.reason] ?? "The answer could not be read.";
    const hasTimedOut = error.reason === "timeout";
    return { status: null, error: words, durationMs: durationMs(), answer: null, hasTimedOut };
  }
}

/** As much of the body as is kept: a body that breaks off changes nothing about the status. */
async function firstPart(answer: EgressAnswer): Promise<string> {
  const pieces: Buffer[] = [];
  try {
    for await (const piece of answer.body) pieces.push(piece);
  } catch (error) {
    if (!(error instanceof EgressError)) throw error;
  }
  // PostgreSQL keeps no NUL in a text.
  return new TextDecoder().decode(Buffer.concat(pieces)).replaceAll("\0", "");
}

function errorOf(status: number): string | null {
  if (status >= 200 && status <= 299) return null;
  if (status >= 300 && status <= 399) {
    return `It answered ${status}, a redirect. Redirects are not followed.`;
  }
  return `It answered ${status}.`;
}

/** What went wrong, for people: what they can do something about. */
export const WORDS: Partial<Record<EgressReason, string>> = {
  bad_url: "Only http and https addresses without a name or password in them are called.",
  not_public: "The address leads into a private network, where Snug does not call.",
  unresolved: "The name in the address was not found.",
  unreachable: "Nobody took the connection at this address, or it was cut.",
  untrusted: "The certificate is not good for this name.",
  timeout: "No answer came in time.",
};
