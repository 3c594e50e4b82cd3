import type { Egress, EgressResponse } from "../../platform/egress/egress.ts";
import { EgressError, type EgressReason } from "../../platform/egress/error.ts";
import { isStorable } from "../../platform/input/json.ts";
import { Refusal } from "../../platform/refusal.ts";
import { signDelivery } from "./secret.ts";

const TIMEOUT_MS = 15_000;
/** Maximum bytes of a response to store. */
const RESPONSE_BYTES = 1_024;
const USER_AGENT = "Snug-Webhooks/1.0";

type ReceiverRequest = {
  id: string;
  url: string;
  /** The secrets that sign, the newest first. */
  secrets: string[];
  /** Seconds since 1970. */
  timestamp: number;
  body: string;
  timeoutMs?: number;
};

/** The outcome of a request: it succeeded if `error` is null. */
export type ReceiverResult = {
  /** Null if no response came. */
  status: number | null;
  /** A sentence for the room's admins. */
  error: string | null;
  durationMs: number;
  /** The beginning of the response. */
  response: string | null;
  hasTimedOut: boolean;
};

/**
 * Sends a delivery to its receiver once (Standard Webhooks 1.0). The connection goes to the address
 * that was checked for this request; redirects are not followed.
 * @throws the reason of `signal` when it is aborted: the outcome of the request is unknown then
 */
export async function callReceiver(
  egress: Egress,
  request: ReceiverRequest,
  signal?: AbortSignal,
): Promise<ReceiverResult> {
  const { id, url, secrets, timestamp, body, timeoutMs = TIMEOUT_MS } = request;
  const startedAt = performance.now();
  const durationMs = () => Math.round(performance.now() - startedAt);
  try {
    const response = await egress.request(url, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        "user-agent": USER_AGENT,
        "webhook-id": id,
        "webhook-timestamp": String(timestamp),
        "webhook-signature": signDelivery(secrets, { id, timestamp, body }),
      },
      body,
      maxBytes: RESPONSE_BYTES,
      timeoutMs,
      signal,
    });
    const { status } = response;
    const text = await readStart(response);
    signal?.throwIfAborted();
    const error = describeStatus(status);
    return { status, error, durationMs: durationMs(), response: text, hasTimedOut: false };
  } catch (error) {
    signal?.throwIfAborted();
    if (!(error instanceof EgressError)) throw error;
    const message = MESSAGES[error.reason] ?? "The response could not be read.";
    const hasTimedOut = error.reason === "timeout";
    return { status: null, error: message, durationMs: durationMs(), response: null, hasTimedOut };
  }
}

/** Each delivery checks the URL again. @throws Refusal `target_not_allowed` */
export async function checkReceiverUrl(egress: Egress, url: string): Promise<string> {
  try {
    if (!isStorable(url)) throw new EgressError("bad_url", "not an address");
    return (await egress.checkTarget(url.trim())).href;
  } catch (error) {
    if (!(error instanceof EgressError)) throw error;
    const message = MESSAGES[error.reason] ?? "This address cannot be called.";
    throw new Refusal("target_not_allowed", message, { errors: [{ path: "/url", message }] });
  }
}

/** A response that breaks off does not change the outcome. */
async function readStart(response: EgressResponse): Promise<string> {
  const chunks: Buffer[] = [];
  try {
    for await (const chunk of response.body) chunks.push(chunk);
  } catch (error) {
    if (!(error instanceof EgressError)) throw error;
  }
  // PostgreSQL cannot store NUL.
  return new TextDecoder().decode(Buffer.concat(chunks)).replaceAll("\0", "");
}

function describeStatus(status: number): string | null {
  if (status >= 200 && status <= 299) return null;
  if (status >= 300 && status <= 399) {
    return `It answered ${status}, a redirect. Redirects are not followed.`;
  }
  return `It answered ${status}.`;
}

/** What went wrong, for the room's admins. */
const MESSAGES: Partial<Record<EgressReason, string>> = {
  bad_url: "The address must begin with http or https and contain no user name or password.",
  not_public: "The address is in a private network, to which Snug does not connect.",
  unresolved: "The host name was not found.",
  unreachable: "The connection was refused or reset.",
  untrusted: "The certificate is not valid for this host.",
  timeout: "No response came in time.",
};
