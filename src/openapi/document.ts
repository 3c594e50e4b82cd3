import type { TObject, TSchema } from "@sinclair/typebox";
import { CODES, type Code } from "../wire/codes.ts";
import { socketOf, webhooksOf } from "./events.ts";
import { INFO } from "./info.ts";
import { isMedia, type Media, type Operation } from "./operation.ts";
import { OPERATIONS, TAGS } from "./operations.ts";
import { PROBLEM, SECURITY } from "./problems.ts";
import { Components, type JsonSchema, ofQuery } from "./schemas.ts";

/** A route as Elysia has it. */
export type Route = { method: string; path: string; hooks: unknown };
type Hooks = {
  params?: TObject;
  query?: TObject;
  body?: TSchema;
  detail?: { "x-public"?: boolean; "x-scope"?: string };
};

/**
 * The description of the service (OpenAPI 3.1.1), made of what the routes check themselves and of
 * what `operations` says of them.
 * @param server the origin that people use
 */
export function describe(routes: Route[], server: string): JsonSchema {
  const components = new Components();
  const paths: Record<string, JsonSchema> = {};
  for (const route of routes) {
    const operation = OPERATIONS[`${route.method} ${route.path}`];
    if (!operation) continue;
    const path = route.path.replace(/:(\w+)/g, "{$1}");
    const method = route.method.toLowerCase();
    paths[path] = { ...paths[path], [method]: toOperation(components, route, operation) };
  }
  paths["/ws/chat"] = socketOf(components);
  const webhooks = webhooksOf(components);
  return {
    openapi: "3.1.1",
    info: INFO,
    servers: [{ url: server }],
    tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
    security: [{ session: [] }, { bearer: [] }],
    paths,
    webhooks,
    components: {
      securitySchemes: SECURITY,
      schemas: { ...components.schemas, Problem: PROBLEM },
    },
  };
}

function toOperation(
  components: Components,
  { method, path, hooks }: Route,
  operation: Operation & { tag: string },
): JsonSchema {
  const { params, query, body, detail = {} } = (hooks ?? {}) as Hooks;
  const isPublic = detail["x-public"] === true;
  const scope = detail["x-scope"];
  const said = [
    operation.description,
    scope && `A bot's token needs the scope \`${scope}\`.`,
    CLOSED.test(path) && path !== "/api/auth/me" && !isPublic && "Not for bots.",
  ].filter(Boolean);
  const hasBody = body !== undefined || operation.body !== undefined;
  const errors = codesOf(operation, { isPublic, scope, path, hasBody });
  return {
    operationId: idOf(method, path),
    tags: [operation.tag],
    summary: operation.summary,
    description: said.length > 0 ? said.join("\n\n") : `${operation.summary}.`,
    ...(isPublic ? { security: [] } : {}),
    ...(scope ? { "x-scope": scope } : {}),
    parameters: [
      ...parametersOf(components, "path", params ?? pathParams(path)),
      ...parametersOf(components, "query", query),
    ],
    ...(hasBody ? { requestBody: bodyOf(components, operation, body) } : {}),
    responses: {
      ...answersOf(components, operation),
      ...problemsOf(errors),
    },
  };
}

const CLOSED = /^\/api\/(?:auth|push|custom-themes|admin)(?:\/|$)/;

/** As generated clients call it: `get_api_rooms_id_messages`. */
function idOf(method: string, path: string): string {
  return `${method.toLowerCase()}${path.replace(/[^a-z0-9]+/gi, "_")}`.replace(/_$/, "");
}

/** Of a path whose parameters nobody checks, because whoever has one needs no other. */
function pathParams(path: string): TObject | undefined {
  const names = [...path.matchAll(/:(\w+)/g)].map(([, name = ""]) => name);
  if (names.length === 0) return undefined;
  const properties = Object.fromEntries(names.map((name) => [name, { type: "string" }]));
  return { type: "object", required: names, properties } as unknown as TObject;
}

function parametersOf(
  components: Components,
  place: "path" | "query",
  schema: TObject | undefined,
): JsonSchema[] {
  return Object.entries(schema?.properties ?? {}).map(([name, property]) => {
    const converted = ofQuery(components.convert(property));
    const { description, ...rest } = converted;
    const isNeeded = schema?.required?.includes(name) && !("default" in rest);
    return {
      name,
      in: place,
      required: place === "path" || isNeeded === true,
      ...(description ? { description } : {}),
      schema: rest,
    };
  });
}

function bodyOf(components: Components, { body: kind }: Operation, schema?: TSchema): JsonSchema {
  if (kind === "file") {
    const file = { type: "string", contentMediaType: "application/octet-stream" };
    const form = { type: "object", required: ["file"], properties: { file } };
    return { required: true, content: { "multipart/form-data": { schema: form } } };
  }
  if (kind === "hook" || !schema) {
    const payload = { type: "object", additionalProperties: true };
    const form = {
      type: "object",
      required: ["payload"],
      properties: { payload: { type: "string" } },
    };
    return {
      required: true,
      content: {
        "application/json": { schema: payload, example: { text: "*Build 42* passed" } },
        "application/x-www-form-urlencoded": { schema: form },
      },
    };
  }
  const isOptional = Symbol.for("TypeBox.Optional") in schema;
  return {
    required: !isOptional,
    content: { "application/json": { schema: components.convert(schema) } },
  };
}

function answersOf(components: Components, { answers }: Operation): Record<string, JsonSchema> {
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
function codesOf(
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
function problemsOf(codes: Code[]): Record<string, JsonSchema> {
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
