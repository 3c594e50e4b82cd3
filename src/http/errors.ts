import { Elysia } from "elysia";
import { describeUnavailable, isUnavailable } from "../database/errors.ts";
import { describeCause } from "../platform/cause.ts";
import { toPlainResponse } from "../webhooks/incoming/plain-response.ts";
import { isDiskFull } from "../platform/disk.ts";
import { getLogger } from "../platform/log.ts";
import { problemResponse } from "../platform/problem.ts";
import { Refusal } from "../platform/refusal.ts";
import { requestInfo } from "../platform/request-info.ts";

const log = getLogger("http");

/**
 * Turns any thrown error into a refusal. An unexpected one is logged with the request's id and answered
 * as `internal`, without details.
 */
export function toRefusal(error: unknown, request: Request): Refusal {
  if (error instanceof Refusal) return error;
  if (isUnavailable(error)) {
    return new Refusal("unavailable", describeUnavailable(error), { retryAfter: 1 });
  }
  if (isDiskFull(error)) {
    log.error("The disk of DATA_DIR is full: uploads are refused until there is room.", {
      request_id: requestInfo(request).id,
    });
    const detail = "The disk of this site is full. Tell an administrator, and try again later.";
    return new Refusal("storage_full", detail);
  }
  log.error("Unhandled error in a request.", {
    request_id: requestInfo(request).id,
    error: describeCause(error),
  });
  return new Refusal("internal", "Something went wrong on our side. Try again in a moment.");
}

/** A refusal as a problem document, or in Slack's form for a post to an incoming webhook. */
export function refusalResponse(refusal: Refusal, request: Request): Response {
  // A request without a Host has no whole address.
  const isHook = URL.parse(request.url)?.pathname.startsWith("/hooks/") ?? false;
  return isHook ? toPlainResponse(refusal) : problemResponse(refusal);
}

/** Answers every error of the app. */
export function handleErrors() {
  return new Elysia({ name: "problems" }).onError({ as: "global" }, ({ error, code, request }) =>
    refusalResponse(
      code === "NOT_FOUND"
        ? new Refusal("not_found", "There is nothing at this address.")
        : toRefusal(error, request),
      request,
    ),
  );
}
