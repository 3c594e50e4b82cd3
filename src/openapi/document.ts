import type { TObject, TSchema } from "@sinclair/typebox";
import { paramsOf } from "../routing/input.ts";
import type { AnyRoute, TaggedRoutes } from "../routing/route.ts";
import { SCOPES } from "../wire/scopes.ts";
import { refusalsOf, toProblems, toResponses } from "./responses.ts";
import { describeSocket, describeWebhooks } from "./events.ts";
import { Components, type JsonSchema } from "./schemas.ts";
import { VERSION } from "../wire/version.ts";
import { CODES } from "../wire/codes.ts";

/** Describes all routes, the WebSocket and the webhooks. @param server the public origin */
export function describeApi(taggedRoutes: TaggedRoutes, server: string): JsonSchema {
  const components = new Components();
  const paths: Record<string, JsonSchema> = {};
  for (const [tag, routes] of Object.entries(taggedRoutes)) {
    for (const route of routes) {
      const path = route.path.replace(/:(\w+)/g, "{$1}");
      const method = route.method.toLowerCase();
      paths[path] = { ...paths[path], [method]: toOperation(components, tag, route) };
    }
  }
  paths["/ws/chat"] = describeSocket(components);
  const webhooks = describeWebhooks(components);
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

function toOperation(components: Components, tag: string, route: AnyRoute): JsonSchema {
  const { access, summary, body, query } = route;
  const scope = SCOPES.find((name) => name === access);
  const description = [
    route.description,
    scope && `A bot's token needs the scope \`${scope}\`.`,
    (access === "person" || access === "administrator") && "Not for bots.",
  ].filter(Boolean);
  return {
    operationId: idOf(route),
    tags: [tag],
    summary,
    description: description.length > 0 ? description.join("\n\n") : `${summary}.`,
    ...(access === "public" ? { security: [] } : {}),
    ...(scope ? { "x-scope": scope } : {}),
    parameters: [
      ...parametersOf(components, "path", paramsOf(route)),
      ...parametersOf(components, "query", query),
      ...parametersOf(components, "header", route.headers),
    ],
    ...(body ? { requestBody: bodyOf(components, body) } : {}),
    responses: { ...toResponses(components, route), ...toProblems(refusalsOf(route)) },
  };
}

/** The function's name in generated clients: `get_api_rooms_id_messages`. */
function idOf({ method, path }: AnyRoute): string {
  return `${method.toLowerCase()}${path.replace(/[^a-z0-9]+/gi, "_")}`.replace(/_$/, "");
}

function parametersOf(
  components: Components,
  place: "path" | "query" | "header",
  schema: TObject | undefined,
): JsonSchema[] {
  return Object.entries(schema?.properties ?? {}).map(([name, property]) => {
    const { description, ...rest } = components.convert(property);
    const isRequired = schema?.required?.includes(name) && !("default" in rest);
    return {
      name,
      in: place,
      required: place === "path" || isRequired === true,
      ...(description ? { description } : {}),
      schema: rest,
    };
  });
}

function bodyOf(components: Components, body: TSchema | "file" | "webhook"): JsonSchema {
  if (body === "file") {
    const file = { type: "string", contentMediaType: "application/octet-stream" };
    const form = { type: "object", required: ["file"], properties: { file } };
    return { required: true, content: { "multipart/form-data": { schema: form } } };
  }
  if (body === "webhook") {
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
  const isOptional = Symbol.for("TypeBox.Optional") in body;
  return {
    required: !isOptional,
    content: { "application/json": { schema: components.convert(body) } },
  };
}

const INFO = {
  title: "Snug",
  version: VERSION,
  summary: "Self-hosted team chat",
  description: `People authenticate with a session cookie, bots with a bearer token.

- Ids are UUIDv7, times ISO 8601 in UTC, sizes in bytes.
- Lists are \`{ items, next }\` of at most 200 items. Pass \`next\` as \`?cursor=\` for the next page.
- Errors are problem documents (RFC 9457). Rely on \`code\`; \`detail\` is for people.
- PATCH leaves absent fields unchanged, and null clears a field. Unknown fields are ignored.
- A message can have a \`client_id\`. Sending it again returns the first message.
- A request with the header \`Snug-User: <user id>\` is refused with 403 \`user_mismatch\` if the session or token belongs to
  another user. It is for pages that stay open while someone else signs in. Only public routes ignore it.
- Each room numbers its events with \`seq\`, without gaps; see \`/ws/chat\` and \`changes\`.

## WebSocket

\`GET /ws/chat\` accepts the cookie or the bearer token. Frames are JSON objects with a \`type\`. Clients
send the schemas \`…Frame\`; the service sends \`RoomEvent\`, \`RoomSignal\`, \`UserEvent\`, \`UnreadEvent\`
and \`Answer\`. \`join\` a room with the last \`seq\` that you know to receive everything you missed.`,
  license: { name: "MIT", identifier: "MIT" },
  contact: { name: "The operator of this service", url: "https://snug.example" },
};

const TAGS = {
  Accounts: "Signing in and up, the caller's account, and people",
  Rooms: "Rooms and their members",
  Messages: "Messages and their attachments",
  "Webhooks and push": "Webhooks of rooms, and notifications",
  Administration: "For site administrators",
  Site: "For operators and tools",
};

const PROBLEM = {
  type: "object",
  required: ["type", "title", "status", "detail", "code"],
  properties: {
    type: { type: "string", const: "about:blank" },
    title: { type: "string" },
    status: { type: "integer" },
    detail: { type: "string", description: "A sentence for people" },
    code: { type: "string", enum: Object.keys(CODES), description: "Stable, for programs" },
    ways: {
      type: "array",
      description: "For `proof_needed`: the ways to reauthenticate with `POST /api/auth/proof`",
      items: { type: "string" },
    },
    draft: { type: "object", description: "For `draft_changed`: the stored `DraftCopy`" },
    current: { type: "object", description: "For `sections_changed`: the current `Sections`" },
    errors: {
      type: "array",
      description: "The invalid fields",
      items: {
        type: "object",
        required: ["path", "message"],
        properties: {
          path: { type: "string", description: "A JSON pointer (RFC 6901)" },
          message: { type: "string" },
        },
      },
    },
  },
  example: {
    type: "about:blank",
    title: "No such room",
    status: 404,
    detail: "There is no such room, or you cannot see it.",
    code: "room_not_found",
  },
};

const SECURITY = {
  session: {
    type: "apiKey",
    in: "cookie",
    name: "snug_session",
    description: "A person's session",
  },
  bearer: { type: "http", scheme: "bearer", description: "A bot's token, `snug_…` (RFC 6750)" },
};
