import type { TSchema } from "@sinclair/typebox";
import * as admin from "../wire/admin.ts";
import * as events from "../wire/events.ts";
import { FRAMES } from "../wire/frames.ts";
import * as hooks from "../wire/incoming-webhooks.ts";
import * as keeping from "../wire/keeping.ts";
import * as models from "../wire/models.ts";
import * as providers from "../wire/providers.ts";
import * as requests from "../wire/requests.ts";
import * as signIn from "../wire/sign-in.ts";
import * as webhooks from "../wire/outgoing-webhooks.ts";
import { EXAMPLES } from "./examples.ts";

/** JSON Schema 2020-12, as OpenAPI 3.1 uses it. */
export type JsonSchema = Record<string, unknown>;

const isSchema = (value: unknown): value is TSchema =>
  typeof value === "object" && value !== null && Symbol.for("TypeBox.Kind") in value;

/** Small schemas that are clearer inline than as components. */
const INLINE = new Set(["Id", "Sha256", "Timestamp", "Content", "ClientId", "Emoji"]);

/** The names of components: exported schemas of `src/wire`, and the frames. */
const NAMED = new Map<TSchema, string>();
for (const module of [
  models,
  requests,
  keeping,
  signIn,
  providers,
  admin,
  hooks,
  webhooks,
  events,
]) {
  for (const [name, value] of Object.entries(module)) {
    const isLong = isSchema(value) && (value.type === "object" || "anyOf" in value);
    if (isLong && !INLINE.has(name) && !NAMED.has(value)) NAMED.set(value, name);
  }
}
for (const [name, frame] of Object.entries(FRAMES)) {
  NAMED.set(frame.schema, `${name[0]?.toUpperCase()}${name.slice(1)}Frame`);
}

/** Finds a component's schema. */
export function findSchema(name: string): TSchema | undefined {
  return [...NAMED].find(([, one]) => one === name)?.[0];
}

/** Collects the components that are referenced, directly or by other components. */
export class Components {
  readonly schemas: Record<string, JsonSchema> = {};

  /** Converts a schema, with references to components. */
  convert(schema: TSchema): JsonSchema {
    const name = NAMED.get(schema);
    if (name === undefined) return this.#inline(schema);
    if (!(name in this.schemas)) {
      // Reserved first, because a schema can refer to itself.
      this.schemas[name] = {};
      const example = EXAMPLES.get(name);
      const described = this.#inline(schema);
      this.schemas[name] = example ? { ...described, examples: [example] } : described;
    }
    return { $ref: `#/components/schemas/${name}` };
  }

  #inline(schema: TSchema): JsonSchema {
    return this.#walk(schema) as JsonSchema;
  }

  #walk(value: unknown): unknown {
    if (Array.isArray(value)) return value.map((one) => this.#child(one));
    if (typeof value !== "object" || value === null) return value;
    const keys = Object.entries(isSchema(value) ? toKeywords(value) : value);
    const entries = keys.map(([key, one]) => [key, this.#child(one)]);
    return simplifyChoice(Object.fromEntries(entries));
  }

  #child(value: unknown): unknown {
    return isSchema(value) ? this.convert(value) : this.#walk(value);
  }
}

/** Simplifies a choice: of strings to an `enum`, of a simple type or null to a pair of types. */
function simplifyChoice(schema: JsonSchema): JsonSchema {
  const { anyOf, ...rest } = schema;
  if (!Array.isArray(anyOf)) return schema;
  const words = anyOf.map((one) => (one as JsonSchema).const);
  if (words.every((word) => typeof word === "string")) {
    return { ...rest, type: "string", enum: words };
  }
  const [first, second] = anyOf as JsonSchema[];
  const isSimple = typeof first?.type === "string" && !("enum" in first) && !("const" in first);
  if (anyOf.length === 2 && isSimple && second?.type === "null") {
    return { ...first, ...rest, type: [first.type, "null"] };
  }
  return schema;
}

/**
 * Keywords of JSON Schema alone: `expected` is for refusals, and `maxLength` counts characters there,
 * as `maxCharacters` does here.
 */
function toKeywords({ expected: _, maxCharacters, ...keywords }: TSchema): object {
  return maxCharacters === undefined ? keywords : { ...keywords, maxLength: maxCharacters };
}
