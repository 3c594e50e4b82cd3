import type { TSchema } from "@sinclair/typebox";
import { TypeCompiler } from "@sinclair/typebox/compiler";
import { isMedia } from "../../src/openapi/operation.ts";
import { OPERATIONS } from "../../src/openapi/operations.ts";
import type { Code } from "../../src/wire/codes.ts";

/** Refusals that a route has by its kind, or by what was done to it. */
const EVERYWHERE: Code[] = [
  "unauthenticated",
  "invalid_token",
  "insufficient_scope",
  "not_for_bots",
  "not_site_admin",
  "cross_origin",
  "bad_request",
  "unsupported_media_type",
  "too_large",
  "validation",
  "unavailable",
  "method_not_allowed",
  "not_found",
  "internal",
];

const routes = Object.keys(OPERATIONS).map((route) => {
  const [method = "", path = ""] = route.split(" ");
  return { route, method, pattern: new RegExp(`^${path.replace(/:\w+/g, "[^/]+")}$`) };
});
const compiled = new Map<TSchema, ReturnType<typeof TypeCompiler.Compile>>();

/**
 * Every answer that any test gets is held against the description of the API: what is described is
 * what is answered, field by field, and what is refused is refused with a code that is described.
 * @throws Error that says what differs
 */
export function checkAnswer(method: string, url: string, status: number, body: unknown): void {
  const [path = ""] = url.split("?");
  // The more exact of two that match: `/rooms/browse` before `/rooms/:id`.
  const found = routes.find((one) => one.route === `${method} ${path}`);
  const matched = found ?? routes.find((one) => one.method === method && one.pattern.test(path));
  if (!matched || matched.route === "POST /hooks/:token") return;
  const operation = OPERATIONS[matched.route];
  if (!operation) return;
  const { answers, errors = [] } = operation;
  if (status >= 400) {
    const { code } = body as { code?: Code };
    if (code && !errors.includes(code) && !EVERYWHERE.includes(code)) {
      throw new Error(`${matched.route} refuses with ${code}, which its description does not name`);
    }
    return;
  }
  const answer = answers[status];
  if (answer === undefined) {
    throw new Error(`${matched.route} answers ${status}, which its description does not name`);
  }
  if (answer === null || isMedia(answer)) return;
  const check = compiled.get(answer) ?? TypeCompiler.Compile(answer);
  compiled.set(answer, check);
  const [first] = check.Errors(body);
  if (first) {
    const told = JSON.stringify(first.value)?.slice(0, 200);
    throw new Error(`${matched.route}: ${first.path || "the body"}: ${first.message}, not ${told}`);
  }
}
