import type { TObject, TSchema } from "@sinclair/typebox";
import { answersOf, CLOSED, codesOf, problemsOf } from "./answers.ts";
import { socketOf, webhooksOf } from "./events.ts";
import { INFO } from "./info.ts";
import type { Operation } from "./operation.ts";
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
