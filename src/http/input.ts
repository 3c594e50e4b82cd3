import type { TObject, TSchema } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { Refusal } from "../platform/refusal.ts";
import { requestInfo } from "../platform/request-info.ts";
import { compileShape, type Shape } from "../platform/shape.ts";
import { UUID_PATTERN } from "../wire/limits.ts";
import { readQuery } from "./query.ts";

type Hooks = { params?: TObject; query?: TObject; body?: TSchema };
type Input = {
  params?: Shape<Record<string, string>>;
  /** Parameters that are ids: these alone are noted for the log. */
  ids: string[];
  query?: { schema: TObject; shape: Shape<unknown> };
  body?: { isOptional: boolean; shape: Shape<unknown> };
};

const inputs = new Map<string, Input>();

/** Compiles what the app's routes say of their parameters, queries and bodies. */
export function readInputs(routes: { method: string; path: string; hooks: unknown }[]): void {
  for (const { method, path, hooks } of routes) {
    const { params, query, body } = (hooks ?? {}) as Hooks;
    const input: Input = { ids: [] };
    if (params) {
      input.params = compileShape(params) as Shape<Record<string, string>>;
      const named = Object.entries(params.properties);
      input.ids = named.flatMap(([name, { pattern }]) => (pattern === UUID_PATTERN ? [name] : []));
    }
    if (query) input.query = { schema: query, shape: compileShape(query) };
    if (body) {
      const isOptional = Symbol.for("TypeBox.Optional") in body;
      input.body = { isOptional, shape: compileShape(body) };
    }
    inputs.set(`${method} ${path}`, input);
  }
}

/**
 * Checks what a request carries, after the guard and before the framework's own check. That one
 * walks whatever claims a length, and prints rejected values; it never sees any of them, since what
 * passes here passes there.
 */
export function checkInputs() {
  return new Elysia({ name: "check-inputs" }).onTransform({ as: "global" }, (context) => {
    const { request, route } = context;
    const input = inputs.get(`${request.method === "HEAD" ? "GET" : request.method} ${route}`);
    if (!input) return;
    if (input.params) {
      const params = readParams(input.params, context.params);
      context.params = params;
      requestInfo(request).ids = Object.fromEntries(input.ids.map((id) => [id, params[id] ?? ""]));
    }
    if (input.query) {
      context.query = input.query.shape.read(readQuery(input.query.schema, request.url)) as never;
    }
    if (input.body && !(input.body.isOptional && context.body === undefined)) {
      context.body = input.body.shape.read(context.body);
    }
  });
}

/** An id in a path that is no id names nothing: 404, as for one that never was. */
function readParams(shape: Shape<Record<string, string>>, params: unknown) {
  try {
    return shape.read(params);
  } catch {
    throw new Refusal("not_found", "There is nothing at this address.");
  }
}
