import { Elysia, ParseError, ValidationError } from "elysia";
import { isUnavailable } from "../database/errors.ts";
import { getLogger } from "../platform/log.ts";
import { problemResponse } from "../platform/problem.ts";
import { Refusal } from "../platform/refusal.ts";
import { requestInfo } from "../platform/request-info.ts";
import type { FieldError } from "../wire/codes.ts";

const log = getLogger("http");

/**
 * Turns whatever was thrown into a refusal. What is not known is logged with the request's id and
 * told as `internal`: nothing of our inside is shown.
 */
export function toRefusal(error: unknown, request: Request): Refusal {
  if (error instanceof Refusal) return error;
  if (error instanceof ParseError) {
    return error.cause instanceof Refusal
      ? error.cause
      : new Refusal("bad_request", "The body could not be read.");
  }
  if (error instanceof ValidationError) return fromValidation(error);
  if (isUnavailable(error)) {
    return new Refusal("unavailable", "The database is away. Try again in a moment.", {
      retryAfter: 1,
    });
  }
  log.error("A request failed.", {
    request_id: requestInfo(request).id,
    error: rootOf(error),
  });
  return new Refusal("internal", "Something went wrong on our side. Try again in a moment.");
}

/**
 * The first cause, for the log. What wraps it may hold the parameters of a query, and with them
 * messages and hashes of passwords, which no log is to keep.
 */
function rootOf(error: unknown): string {
  let root = error;
  while (root instanceof Error && root.cause instanceof Error) root = root.cause;
  return root instanceof Error ? (root.stack ?? root.message) : String(root);
}

/** An id in a path that is no id names nothing: 404, as for one that never was. */
function fromValidation(error: ValidationError): Refusal {
  if (error.type === "params") return new Refusal("not_found", "There is nothing at this address.");
  const errors: FieldError[] = error.all.slice(0, 20).map((one) => {
    const {
      path = "",
      message = "",
      schema,
    } = one as {
      path?: string;
      message?: string;
      schema?: { description?: string };
    };
    return { path, message: schema?.description ? `Expected ${schema.description}` : message };
  });
  const first = errors[0];
  // A number of the query that is out of its range does not say which one it is.
  const whole = error.type === "body" ? "body" : "query";
  const detail = first ? `${first.path.slice(1) || whole}: ${first.message}.` : undefined;
  return new Refusal("validation", detail, { errors });
}

/** Every error of the app, as a problem document. */
export function problems() {
  return new Elysia({ name: "problems" }).onError({ as: "global" }, ({ error, code, request }) =>
    problemResponse(
      code === "NOT_FOUND"
        ? new Refusal("not_found", "There is nothing at this address.")
        : toRefusal(error, request),
    ),
  );
}
