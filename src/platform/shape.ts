import { CloneType, type Static, type TSchema } from "@sinclair/typebox";
import { type TypeCheck, TypeCompiler } from "@sinclair/typebox/compiler";
import type { FieldError } from "../wire/codes.ts";
import { UUID_PATTERN } from "../wire/patterns.ts";
import { Refusal } from "./refusal.ts";
import { describeMismatch } from "./mismatch.ts";

const MAX_ERRORS = 10;

/** A schema, compiled to read untrusted input. */
export type Shape<T> = {
  /**
   * Checks types first and sizes after, then copies the fields that the schema names, so that
   * unknown ones are ignored, and makes UUIDs lower case.
   * @throws Refusal `validation`
   */
  read(value: unknown): T;
};

/** Compiles a schema once, when it is first read by: for bodies, queries, paths and frames alike. */
export function compileShape<S extends TSchema>(schema: S): Shape<Static<S>> {
  let compiled: TypeCheck<TSchema> | undefined;
  return {
    read(value) {
      compiled ??= TypeCompiler.Compile(openSchema(schema));
      const check = compiled;
      if (check.Check(value)) return pick(schema, value) as Static<S>;
      const errors: FieldError[] = [];
      for (const error of check.Errors(value)) {
        // A missing field has a second error, for its type.
        if (errors.some(({ path }) => path === error.path)) continue;
        errors.push({ path: error.path, message: describeMismatch(error) });
        if (errors.length === MAX_ERRORS) break;
      }
      throw new Refusal("validation", errors[0]?.message, { errors });
    },
  };
}

/**
 * Copies a schema and allows unknown fields, since the framework closes the schemas of its routes in
 * place when a route is first called.
 */
function openSchema(schema: TSchema): TSchema {
  const open = CloneType(schema);
  const pending: TSchema[] = [open];
  for (let one = pending.pop(); one; one = pending.pop()) {
    delete one.additionalProperties;
    pending.push(...Object.values<TSchema>(one.properties ?? {}), ...(one.anyOf ?? []));
    if (one.items) pending.push(one.items);
  }
  return open;
}

/** Copies the fields of a valid value that the schema names. */
function pick(schema: TSchema, value: unknown): unknown {
  if (value === null || value === undefined) return value;
  if (typeof value === "string") {
    return schemaFor(schema, "string")?.pattern === UUID_PATTERN ? value.toLowerCase() : value;
  }
  if (Array.isArray(value)) {
    const items: TSchema | undefined = schemaFor(schema, "array")?.items;
    return items ? value.map((one) => pick(items, one)) : value;
  }
  if (typeof value !== "object") return value;
  const properties: Record<string, TSchema> = schemaFor(schema, "object")?.properties ?? {};
  const known = Object.entries(properties).filter(([name]) => Object.hasOwn(value, name));
  return Object.fromEntries(
    known.map(([name, one]) => [name, pick(one, (value as Record<string, unknown>)[name])]),
  );
}

/** The schema itself, or the first member of a union with this type, of which requests have at most one. */
function schemaFor(schema: TSchema, type: string): TSchema | undefined {
  if (schema.type === type) return schema;
  return (schema.anyOf as TSchema[] | undefined)?.find((one) => one.type === type);
}
