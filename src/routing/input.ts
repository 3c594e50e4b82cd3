import { type TObject, type TSchema, Type as t } from "@sinclair/typebox";
import { Refusal } from "../platform/refusal.ts";
import { requestInfo } from "../platform/request-info.ts";
import { compileShape, type Shape } from "../platform/shape.ts";
import { Id } from "../wire/models.ts";
import { readJsonBody } from "./body.ts";
import { readQuery } from "./query.ts";
import type { AnyRoute } from "./route.ts";

export type Input = { params: Record<string, string>; query: unknown; body: unknown };

/** The schema of the path's parameters, which are ids unless the route declares them; undefined if there are none. */
export function paramsOf({ path, params = {} }: AnyRoute): TObject | undefined {
  const names = [...path.matchAll(/:(\w+)/g)].map(([, name = ""]) => name);
  if (names.length === 0) return undefined;
  const declared = params as Record<string, TSchema>;
  return t.Object(Object.fromEntries(names.map((name) => [name, declared[name] ?? Id])));
}

/**
 * Compiles a route's schemas into the function that reads and checks its input. That function throws
 * Refusal `not_found` for an invalid id in the path, `validation`, and those of `readJsonBody`.
 */
export function createReader(
  route: AnyRoute,
): (request: Request, pathParams: object) => Promise<Input> {
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
  return async (request, pathParams) => {
    const input: Input = { params: {}, query: undefined, body: undefined };
    if (params) {
      input.params = readParams(params, pathParams);
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

/** @throws Refusal `not_found` for an invalid id, as for an unknown one */
function readParams(shape: Shape<Record<string, string>>, pathParams: object) {
  try {
    return shape.read(pathParams);
  } catch {
    throw new Refusal("not_found", "There is nothing at this address.");
  }
}
