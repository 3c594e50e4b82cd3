import { describeUnavailable, isUnavailable } from "../database/errors.ts";
import { describeCause, getLogger } from "../platform/log.ts";
import { toPlainResponse } from "../webhooks/incoming/plain-response.ts";
import { isDiskFull } from "../platform/storage/storage.ts";
import { problemResponse } from "../platform/http/problem.ts";
import { Refusal } from "../platform/refusal.ts";
import { requestInfo } from "../platform/http/request-info.ts";

const log = getLogger("http");

/**
 * Converts any error to a refusal. An unexpected error is logged with the request's id and becomes
 * `internal`, without details.
 */
function toRefusal(error: unknown, request: Request): Refusal {
  if (error instanceof Refusal) return error;
  if (isUnavailable(error)) {
    return new Refusal("unavailable", describeUnavailable(error), { retryAfter: 1 });
  }
  if (isDiskFull(error)) {
    log.error("The disk of DATA_DIR is full; uploads are refused.", {
      request_id: requestInfo(request).id,
    });
    const detail = "The server's disk is full. Tell an administrator, and try again later.";
    return new Refusal("storage_full", detail);
  }
  log.error("Unhandled error in a request.", {
    request_id: requestInfo(request).id,
    error: describeCause(error),
  });
  return new Refusal("internal", "Something went wrong. Try again in a moment.");
}

/**
 * Converts any error to a response: a problem document, or plain text as Slack does for an incoming
 * webhook.
 */
export function errorResponse(error: unknown, request: Request): Response {
  const refusal = toRefusal(error, request);
  // The URL is incomplete without a Host header.
  const isWebhook = URL.parse(request.url)?.pathname.startsWith("/hooks/") ?? false;
  return isWebhook ? toPlainResponse(refusal) : problemResponse(refusal);
}

/** Responds 405 with `Allow` (RFC 9110, 15.5.6). */
export function methodNotAllowed(request: Request, methods: string[]): Response {
  const detail = `This address allows ${methods.join(", ")}.`;
  const response = errorResponse(new Refusal("method_not_allowed", detail), request);
  response.headers.set("allow", methods.join(", "));
  return response;
}
