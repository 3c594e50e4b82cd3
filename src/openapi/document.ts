import type { TObject, TSchema } from "@sinclair/typebox";
import { paramsOf } from "../routing/input.ts";
import type { AnyRoute, TaggedRoutes } from "../routing/route.ts";
import { SCOPES } from "../wire/scopes.ts";
import { toResponses, toProblems, refusalsOf } from "./answers.ts";
import { describeSocket, describeWebhooks } from "./events.ts";
import { INFO, TAGS } from "./info.ts";
import { PROBLEM, SECURITY } from "./problems.ts";
import { Components, type JsonSchema } from "./schemas.ts";

/**
 * Describes the API (OpenAPI 3.1.1): every declared route, the WebSocket and the webhooks.
 * @param server the public origin of the service
 */
export function describeApi(tagged: TaggedRoutes, server: string): JsonSchema {
  const components = new Components();
  const paths: Record<string, JsonSchema> = {};
  for (const [tag, routes] of Object.entries(tagged)) {
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
  const scope = SCOPES.find((one) => one === access);
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
    ],
    ...(body ? { requestBody: bodyOf(components, body) } : {}),
    responses: { ...toResponses(components, route), ...toProblems(refusalsOf(route)) },
  };
}

/** The name in generated clients: `get_api_rooms_id_messages`. */
function idOf({ method, path }: AnyRoute): string {
  return `${method.toLowerCase()}${path.replace(/[^a-z0-9]+/gi, "_")}`.replace(/_$/, "");
}

function parametersOf(
  components: Components,
  place: "path" | "query",
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
