import { type ValueError, ValueErrorType } from "@sinclair/typebox/errors";
import type { TSchema } from "@sinclair/typebox";

/**
 * Describes a mismatch in a sentence for a person, from the schema and the path alone: the value is
 * never shown or converted to text.
 */
export function describeMismatch({ path, type, schema }: ValueError): string {
  const what = nameOf(path);
  if (type === ValueErrorType.ObjectRequiredProperty) return `${what} is missing.`;
  const expected: unknown = plain(schema).expected;
  if (typeof expected === "string") return `${what} must be ${expected}.`;
  return `${what} must be ${kindOf(plain(schema))}.`;
}

/** `/keys/auth` becomes `keys.auth`. The path is truncated, since it consists of the caller's keys. */
function nameOf(path: string): string {
  if (path === "") return "The body";
  const name = path.slice(1, 100).replaceAll("~1", "/").replaceAll("~0", "~").replaceAll("/", ".");
  return `\`${name}\``;
}

/** The schema of a nullable schema. */
function plain(schema: TSchema): TSchema {
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
