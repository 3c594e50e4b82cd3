import type { TSchema } from "@sinclair/typebox";
import * as admin from "../wire/admin.ts";
import * as events from "../wire/events.ts";
import { FRAMES } from "../wire/frames.ts";
import * as hooks from "../wire/incoming-webhooks.ts";
import * as models from "../wire/models.ts";
import * as requests from "../wire/requests.ts";
import * as webhooks from "../wire/outgoing-webhooks.ts";
import { EXAMPLES } from "./examples.ts";

/** JSON Schema (2020-12), as OpenAPI 3.1 takes it. */
export type JsonSchema = Record<string, unknown>;

const isSchema = (value: unknown): value is TSchema =>
  typeof value === "object" && value !== null && Symbol.for("TypeBox.Kind") in value;

/** Short words that would say nothing by a name of their own. */
const INLINE = new Set(["Id", "Sha256", "Timestamp", "Content", "ClientId", "Emoji"]);

/** What has a name in `src/wire`, and the frames, as the components of the document. */
const NAMED = new Map<TSchema, string>();
for (const module of [models, requests, admin, hooks, webhooks, events]) {
  for (const [name, value] of Object.entries(module)) {
    const isLong = isSchema(value) && (value.type === "object" || "anyOf" in value);
    if (isLong && !INLINE.has(name) && !NAMED.has(value)) NAMED.set(value, name);
  }
}
for (const [name, frame] of Object.entries(FRAMES)) {
  NAMED.set(frame.schema, `${name[0]?.toUpperCase()}${name.slice(1)}Frame`);
}

/** What is a component, by its name. */
export function schemaNamed(name: string): TSchema | undefined {
  return [...NAMED].find(([, one]) => one === name)?.[0];
}

/** Collects the components that are referred to, each once, with what they refer to themselves. */
export class Components {
  readonly schemas: Record<string, JsonSchema> = {};

  /** A schema in which what has a name is a reference. */
  convert(schema: TSchema): JsonSchema {
    const name = NAMED.get(schema);
    if (name === undefined) return this.#inline(schema);
    if (!(name in this.schemas)) {
      // Its place first: a schema may lead back to itself.
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
    // `expected` is said in refusals, and is no keyword of JSON Schema.
    const keys = Object.entries(value).filter(([key]) => key !== "expected" || !isSchema(value));
    const entries = keys.map(([key, one]) => [key, this.#child(one)]);
    return merge(Object.fromEntries(entries));
  }

  #child(value: unknown): unknown {
    return isSchema(value) ? this.convert(value) : this.#walk(value);
  }
}

/** A choice of words is an `enum`, and one of a simple type or null a type of two names. */
function merge(schema: JsonSchema): JsonSchema {
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
