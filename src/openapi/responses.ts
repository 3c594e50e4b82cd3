import type { TSchema } from "@sinclair/typebox";
import { CODES, type Code } from "../wire/codes.ts";
import type { Responses, AnyRoute, Media, RoomNeed } from "../routing/route.ts";
import type { Components, JsonSchema } from "./schemas.ts";

export function toResponses(
  components: Components,
  { responses: declaredResponses }: AnyRoute,
): Record<string, JsonSchema> {
  const responses = Object.entries(declaredResponses as Responses).map(([status, response]) => [
    status,
    toResponse(components, status, response),
  ]);
  // A route that only redirects has no response of its own.
  const isRedirect = !responses.some(([status]) => String(status).startsWith("2"));
  return {
    ...Object.fromEntries(responses),
    ...(isRedirect
      ? { default: { description: "Browsers get a page that explains the error" } }
      : {}),
  };
}

const DESCRIPTIONS: Record<string, string> = {
  "200": "OK",
  "201": "Created",
  "202": "Accepted",
  "204": "No content",
  "206": "Partial content",
  "302": "Redirect",
  "304": "Not modified",
};

function toResponse(
  components: Components,
  status: string,
  response: TSchema | Media | null,
): JsonSchema {
  const description = DESCRIPTIONS[status] ?? "Refused";
  if (response === null) return { description };
  if (!("media" in response)) {
    return {
      description,
      content: { "application/json": { schema: components.convert(response) } },
    };
  }
  const schema = response.media.startsWith("text/") ? { type: "string" } : {};
  return { description: response.description, content: { [response.media]: { schema } } };
}

/** The refusals of `rooms/access`, by the role that the route needs. */
const ROOM_REFUSALS: Record<RoomNeed, Code[]> = {
  see: ["room_not_found"],
  member: ["room_not_found", "not_a_member"],
  admin: ["room_not_found", "not_a_member", "role_required"],
  owner: ["room_not_found", "not_a_member", "role_required"],
};

export function refusalsOf({
  errors = [],
  access,
  reauthentication,
  room,
  body,
  path,
}: AnyRoute): Code[] {
  if (body === "webhook") return [];
  const isClosed = access === "person" || access === "administrator";
  const isPublic = access === "public";
  const isScoped = !isClosed && !isPublic && access !== "signed-in";
  const impliedCodes: [applies: boolean, codes: Code[]][] = [
    [reauthentication === "required" || reauthentication === "by-handler", ["proof_needed"]],
    [room !== undefined, ROOM_REFUSALS[room as RoomNeed]],
    [!isPublic, ["unauthenticated", "invalid_token", "user_mismatch"]],
    [!isPublic && !path.startsWith("/api/auth/"), ["second_factor_required"]],
    [isScoped, ["insufficient_scope"]],
    [isClosed, ["not_for_bots"]],
    [access === "administrator", ["not_site_admin"]],
    // The body, the query, or a NUL in the path can be invalid.
    [true, ["bad_request", "validation"]],
    [body === "file", ["storage_full"]],
    [body !== undefined, ["unsupported_media_type", "too_large"]],
    [path.startsWith("/api/"), ["unavailable"]],
  ];
  return [...errors, ...impliedCodes.flatMap(([applies, codes]) => (applies ? codes : []))];
}

/** Problem documents by status, with their codes. */
export function toProblems(codes: Code[]): Record<string, JsonSchema> {
  const byStatus = Map.groupBy(new Set(codes), (code) => CODES[code][0]);
  return Object.fromEntries(
    [...byStatus].map(([status, codes]) => [
      String(status),
      {
        description: codes.map((code) => `\`${code}\`: ${CODES[code][1]}`).join(". "),
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
