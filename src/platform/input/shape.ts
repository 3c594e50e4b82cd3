import type { Static, TSchema } from "@sinclair/typebox";
import { type TypeCheck, TypeCompiler } from "@sinclair/typebox/compiler";
import { type ValueError, ValueErrorType } from "@sinclair/typebox/errors";
import type { FieldError } from "../../wire/codes.ts";
import { UUID_PATTERN } from "../../wire/patterns.ts";
import { Refusal } from "../refusal.ts";

const MAX_ERRORS = 10;

/** A compiled schema for reading untrusted input. */
export type Shape<T> = {
  /**
   * Checks types before sizes, then copies the fields in the schema, so that unknown fields are
   * ignored, and converts UUIDs to lower case.
   * @throws Refusal `validation`
   */
  read(value: unknown): T;
};

/** Compiles a schema on first use, for bodies, queries, paths and frames. */
export function compileShape<S extends TSchema>(schema: S): Shape<Static<S>> {
  let validator: TypeCheck<TSchema> | undefined;
  return {
    read(value) {
      validator ??= TypeCompiler.Compile(schema);
      const check = validator;
      if (check.Check(value)) return pick(schema, value) as Static<S>;
      const errors: FieldError[] = [];
      for (const error of check.Errors(value)) {
        // A missing field has a second error for its type.
        if (errors.some(({ path }) => path === error.path)) continue;
        errors.push({ path: error.path, message: describeMismatch(error) });
        if (errors.length === MAX_ERRORS) break;
      }
      throw new Refusal("validation", errors[0]?.message, { errors });
    },
  };
}

function pick(schema: TSchema, value: unknown): unknown {
  if (value === null || value === undefined) return value;
  if (typeof value === "string") {
    return schemaFor(schema, "string")?.pattern === UUID_PATTERN ? value.toLowerCase() : value;
  }
  if (Array.isArray(value)) {
    const items: TSchema | undefined = schemaFor(schema, "array")?.items;
    return items ? value.map((item) => pick(items, item)) : value;
  }
  if (typeof value !== "object") return value;
  const properties: Record<string, TSchema> = schemaFor(schema, "object")?.properties ?? {};
  const present = Object.entries(properties).filter(([name]) => Object.hasOwn(value, name));
  return Object.fromEntries(
    present.map(([name, property]) => [
      name,
      pick(property, (value as Record<string, unknown>)[name]),
    ]),
  );
}

/** Copies the fields that are present, for an update of these fields alone. */
export function pickDefined<T extends object>(fields: T): Partial<T> {
  const entries = Object.entries(fields).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as Partial<T>;
}

/** The schema, or the first member of a union with this type; unions in requests have at most one. */
function schemaFor(schema: TSchema, type: string): TSchema | undefined {
  if (schema.type === type) return schema;
  return (schema.anyOf as TSchema[] | undefined)?.find((member) => member.type === type);
}

/** Describes a mismatch in a sentence, using only the schema and the path, never the value. */
function describeMismatch({ path, type, schema }: ValueError): string {
  const label = nameOf(path);
  if (type === ValueErrorType.ObjectRequiredProperty) return `${label} is missing.`;
  const expected: unknown = withoutNull(schema).expected;
  if (typeof expected === "string") return `${label} must be ${expected}.`;
  return `${label} must be ${kindOf(withoutNull(schema))}.`;
}

/** Converts `/keys/auth` to `keys.auth`. Truncated, because the path consists of keys chosen by the caller. */
function nameOf(path: string): string {
  if (path === "") return "The body";
  const name = path.slice(1, 100).replaceAll("~1", "/").replaceAll("~0", "~").replaceAll("/", ".");
  return `\`${name}\``;
}

function withoutNull(schema: TSchema): TSchema {
  const members = (schema.anyOf as TSchema[] | undefined)?.filter(({ type }) => type !== "null");
  const [only, ...others] = members ?? [];
  return only && others.length === 0 ? only : schema;
}

function kindOf(schema: TSchema): string {
  const { minimum, maximum, minLength = 0, maxLength, minItems = 0, maxItems } = schema;
  switch (schema.type) {
    case "integer":
      if (minimum === undefined) return "a whole number";
      if (maximum === undefined || maximum === Number.MAX_SAFE_INTEGER) {
        return `a whole number from ${minimum} on`;
      }
      return `a whole number from ${minimum} to ${maximum}`;
    case "boolean":
      return "true or false";
    case "string":
      if (schema.const !== undefined) return `"${schema.const}"`;
      if (maxLength === undefined) return "text in the right form";
      return minLength > 0
        ? `text of ${minLength} to ${maxLength} characters`
        : `text of at most ${maxLength} characters`;
    case "array":
      if (maxItems === undefined) return "a list in which each entry is there once";
      return `a list of ${minItems} to ${maxItems} different entries`;
    case "object":
      return "a JSON object";
    default:
      return choiceOf(schema);
  }
}

function choiceOf(schema: TSchema): string {
  const words = (schema.anyOf as TSchema[] | undefined)?.flatMap(({ const: word }) =>
    typeof word === "string" ? [`"${word}"`] : [],
  );
  return words?.length ? `one of ${words.join(", ")}` : "of another kind";
}
