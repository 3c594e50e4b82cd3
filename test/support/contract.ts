import type { TSchema } from "@sinclair/typebox";
import { TypeCompiler } from "@sinclair/typebox/compiler";
import { refusalsOf } from "../../src/openapi/responses.ts";
import { ROUTES } from "./routes.ts";
import type { Responses } from "../../src/routing/route.ts";
import type { Code } from "../../src/wire/codes.ts";

/** Refusals at the door, before a route is found or its input is looked at. */
const AT_THE_DOOR: Code[] = [
  "cross_origin",
  "bad_request",
  "not_found",
  "method_not_allowed",
  "unavailable",
  "internal",
];

const routes = ROUTES.map((route) => ({
  ...route,
  pattern: new RegExp(`^${route.path.replace(/:\w+/g, "[^/]+")}$`),
  refusals: [...refusalsOf(route), ...AT_THE_DOOR],
}));
const compiled = new Map<TSchema, ReturnType<typeof TypeCompiler.Compile>>();

/**
 * Every answer that any test gets is held against the description of the API: what is described is
 * what is answered, field by field, and what is refused is refused with a code that is described.
 * @throws Error that says what differs
 */
export function checkAnswer(method: string, url: string, status: number, body: unknown): void {
  const [path = ""] = url.split("?");
  // The more exact of two that match: `/rooms/browse` before `/rooms/:id`.
  const match = routes.find((route) => route.name === `${method} ${path}`);
  const matched =
    match ?? routes.find((route) => route.method === method && route.pattern.test(path));
  if (!matched || matched.body === "webhook") return;
  const { name, responses, refusals } = matched;
  if (status >= 400) {
    const { code } = body as { code?: Code };
    if (code && !refusals.includes(code)) {
      throw new Error(`${name} refuses with ${code}, which its description does not name`);
    }
    return;
  }
  const answer = (responses as Responses)[status];
  if (answer === undefined) {
    throw new Error(`${name} answers ${status}, which its description does not name`);
  }
  if (answer === null || "media" in answer) return;
  const check = compiled.get(answer) ?? TypeCompiler.Compile(answer);
  compiled.set(answer, check);
  // The compiled check is many times faster than the one that says what differs.
  if (check.Check(body)) return;
  const first = check.Errors(body).First();
  const told = JSON.stringify(first?.value)?.slice(0, 200);
  throw new Error(`${name}: ${first?.path || "the body"}: ${first?.message}, not ${told}`);
}
