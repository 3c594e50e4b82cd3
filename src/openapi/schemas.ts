import type { TSchema } from "@sinclair/typebox";
import * as admin from "../wire/admin.ts";
import * as events from "../wire/events.ts";
import { FRAMES } from "../wire/frames.ts";
import * as webhooks from "../wire/webhooks.ts";
import * as drafts from "../wire/drafts.ts";
import * as savedMessages from "../wire/saved-messages.ts";
import * as scheduledMessages from "../wire/scheduled-messages.ts";
import * as models from "../wire/models.ts";
import * as providers from "../wire/providers.ts";
import * as requests from "../wire/requests.ts";
import * as sections from "../wire/sections.ts";
import * as signIn from "../wire/sign-in.ts";
import { EXAMPLES } from "./examples.ts";

/** JSON Schema 2020-12, as OpenAPI 3.1 uses it. */
export type JsonSchema = Record<string, unknown>;

const isSchema = (value: unknown): value is TSchema =>
  typeof value === "object" && value !== null && Symbol.for("TypeBox.Kind") in value;

/** Small schemas that are clearer inline. */
const INLINE = new Set(["Id", "Sha256", "Timestamp", "Content", "ClientId", "Emoji", "RoomRef"]);

/** The names of components: exported schemas of `src/wire`, and the frames. */
export const COMPONENT_NAMES = new Map<TSchema, string>();
for (const module of [
  models,
  requests,
  savedMessages,
  scheduledMessages,
  drafts,
  sections,
  signIn,
  providers,
  admin,
  webhooks,
  events,
]) {
  for (const [name, value] of Object.entries(module)) {
    const isLong = isSchema(value) && (value.type === "object" || "anyOf" in value);
    if (isLong && !INLINE.has(name) && !COMPONENT_NAMES.has(value))
      COMPONENT_NAMES.set(value, name);
  }
}
for (const [name, frame] of Object.entries(FRAMES)) {
  COMPONENT_NAMES.set(frame.schema, `${name[0]?.toUpperCase()}${name.slice(1)}Frame`);
}

/** Collects the components that are referenced, directly or by other components. */
export class Components {
  readonly schemas: Record<string, JsonSchema> = {};

  convert(schema: TSchema): JsonSchema {
    const name = COMPONENT_NAMES.get(schema);
    if (name === undefined) return this.#walk(schema) as JsonSchema;
    if (!(name in this.schemas)) {
      // Reserved first, because a schema can reference itself.
      this.schemas[name] = {};
      const example = EXAMPLES.get(name);
      const jsonSchema = this.#walk(schema) as JsonSchema;
      this.schemas[name] = example ? { ...jsonSchema, examples: [example] } : jsonSchema;
    }
    return { $ref: `#/components/schemas/${name}` };
  }

  #walk(value: unknown): unknown {
    if (Array.isArray(value)) return value.map((item) => this.#child(item));
    if (typeof value !== "object" || value === null) return value;
    const keys = Object.entries(isSchema(value) ? toKeywords(value) : value);
    const entries = keys.map(([key, child]) => [key, this.#child(child)]);
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
  const words = anyOf.map((choice) => (choice as JsonSchema).const);
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

/** Keeps keywords of JSON Schema, whose `maxLength` counts like our `maxCharacters`. */
function toKeywords({ expected: _, maxCharacters, ...keywords }: TSchema): object {
  return maxCharacters === undefined ? keywords : { ...keywords, maxLength: maxCharacters };
}
