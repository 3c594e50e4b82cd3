import type { TSchema } from "@sinclair/typebox";
import { CODES, type Code } from "../wire/codes.ts";
import { isMedia, type Media, type Operation } from "./operation.ts";
import type { Components, JsonSchema } from "./schemas.ts";

/** What is people's own, and closed to bots. */
export const CLOSED = /^\/api\/(?:auth|push|custom-themes|admin)(?:\/|$)/;

/** What a route answers where it does what was asked, by status. */
export function answersOf(
  components: Components,
  { answers }: Operation,
): Record<string, JsonSchema> {
  return Object.fromEntries(
    Object.entries(answers).map(([status, answer]) => [
      status,
      toAnswer(components, status, answer),
    ]),
  );
}

const WORDS: Record<string, string> = {
  "200": "It is so",
  "201": "Made",
  "202": "Taken",
  "204": "Done",
  "206": "A part of it",
  "303": "Look there",
  "304": "Not changed",
};

function toAnswer(
  components: Components,
  status: string,
  answer: TSchema | Media | null,
): JsonSchema {
  const description = WORDS[status] ?? "Refused";
  if (answer === null) return { description };
  if (!isMedia(answer)) {
    return { description, content: { "application/json": { schema: components.convert(answer) } } };
  }
  const schema = answer.media.startsWith("text/") ? { type: "string" } : {};
  return { description: answer.description, content: { [answer.media]: { schema } } };
}

/** A route's own refusals, and those of its kind. */
export function codesOf(
  { errors = [], body }: Operation,
  route: { isPublic: boolean; scope: string | undefined; path: string; hasBody: boolean },
): Code[] {
  if (body === "hook") return [];
  const { isPublic, scope, path, hasBody } = route;
  return [
    ...errors,
    ...(isPublic ? [] : (["unauthenticated", "invalid_token"] as const)),
    ...(scope ? (["insufficient_scope"] as const) : []),
    ...(CLOSED.test(path) && !isPublic && path !== "/api/auth/me"
      ? (["not_for_bots"] as const)
      : []),
    ...(path.startsWith("/api/admin") ? (["not_site_admin"] as const) : []),
    "bad_request",
    ...(hasBody ? (["unsupported_media_type", "too_large", "validation"] as const) : []),
    ...(path.startsWith("/api/") ? (["unavailable"] as const) : []),
  ];
}

/** Problem documents by status, with the codes that each can have. */
export function problemsOf(codes: Code[]): Record<string, JsonSchema> {
  const byStatus = Map.groupBy(new Set(codes), (code) => CODES[code][0]);
  return Object.fromEntries(
    [...byStatus].map(([status, all]) => [
      String(status),
      {
        description: all.map((code) => `\`${code}\`: ${CODES[code][1]}`).join(". "),
        ...(status === 429 || status === 503 ? { headers: RETRY_AFTER } : {}),
        content: {
          "application/problem+json": { schema: { $ref: "#/components/schemas/Problem" } },
        },
      },
    ]),
  );
}

const RETRY_AFTER = {
  "Retry-After": { description: "Seconds to wait", schema: { type: "integer" } },
};
