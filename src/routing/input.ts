import { type TObject, type TSchema, Type as t } from "@sinclair/typebox";
import { Refusal } from "../platform/refusal.ts";
import { requestInfo } from "../platform/request-info.ts";
import { compileShape, type Shape } from "../platform/shape.ts";
import { Id } from "../wire/models.ts";
import { readJsonBody } from "./body.ts";
import { readQuery } from "./query.ts";
import type { AnyRoute } from "./route.ts";

export type Input = { params: Record<string, string>; query: unknown; body: unknown };

/** The path's parameters: ids, unless the route says otherwise. Undefined for a path without any. */
export function paramsOf({ path, params = {} }: AnyRoute): TObject | undefined {
  const names = [...path.matchAll(/:(\w+)/g)].map(([, name = ""]) => name);
  if (names.length === 0) return undefined;
  const given = params as Record<string, TSchema>;
  return t.Object(Object.fromEntries(names.map((name) => [name, given[name] ?? Id])));
}

/**
 * Compiles what a route says of its input into the function that reads it. That throws Refusal
 * `not_found` for a path that cannot name anything, `validation`, and those of `readJsonBody`.
 */
export function createReader(route: AnyRoute): (request: Request, given: object) => Promise<Input> {
  const { query, body } = route;
  const paramsSchema = paramsOf(route);
  const ids = Object.entries(paramsSchema?.properties ?? {}).flatMap(([name, schema]) =>
    schema === Id ? [name] : [],
  );
  const params = paramsSchema && (compileShape(paramsSchema) as Shape<Record<string, string>>);
  const queryShape = query && compileShape(query as TObject);
  const bodySchema = typeof body === "object" ? (body as TSchema) : undefined;
  const bodyShape = bodySchema && compileShape(bodySchema);
  const isOptional = bodySchema !== undefined && Symbol.for("TypeBox.Optional") in bodySchema;
  return async (request, given) => {
    const input: Input = { params: {}, query: undefined, body: undefined };
    if (params) {
      input.params = readParams(params, given);
      requestInfo(request).ids = Object.fromEntries(ids.map((id) => [id, input.params[id] ?? ""]));
    }
    if (queryShape) input.query = queryShape.read(readQuery(query as TObject, request.url));
    if (bodyShape) {
      const value = await readJsonBody(request);
      if (value !== undefined || !isOptional) input.body = bodyShape.read(value);
    }
    return input;
  };
}

/** An id in a path that is not an id names nothing: 404, as for one that never was. */
function readParams(shape: Shape<Record<string, string>>, given: object) {
  try {
    return shape.read(given);
  } catch {
    throw new Refusal("not_found", "There is nothing at this address.");
  }
}
