import type { TObject } from "@sinclair/typebox";
import { makeInvalid } from "../platform/refusal.ts";

const WHOLE_NUMBER = /^-?\d{1,16}$/;

/**
 * Reads a URL's query parameters that the schema names. Integers are converted, absent parameters get
 * their defaults, and those that can be repeated become lists.
 * @throws Refusal `validation` for a repeated parameter
 */
export function readQuery(schema: TObject, url: string): Record<string, unknown> {
  const start = url.indexOf("?");
  const sent = new URLSearchParams(start === -1 ? "" : url.slice(start));
  const query: Record<string, unknown> = {};
  for (const [name, property] of Object.entries(schema.properties)) {
    const all = sent.getAll(name);
    if (property.type === "array") {
      if (all.length > 0) query[name] = all;
      continue;
    }
    const [text, ...others] = all;
    if (others.length > 0) throw makeInvalid(`/${name}`, `\`${name}\` can only be given once.`);
    if (text !== undefined) {
      const isNumber = property.type === "integer" && WHOLE_NUMBER.test(text);
      query[name] = isNumber ? Number(text) : text;
    } else if (property.default !== undefined) {
      query[name] = property.default;
    }
  }
  return query;
}
