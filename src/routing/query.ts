import type { TObject } from "@sinclair/typebox";
import { invalid } from "../platform/refusal.ts";

const WHOLE_NUMBER = /^-?\d{1,16}$/;

/**
 * The parameters of an address that a schema names. Text stays text but for whole numbers; what is
 * absent has its default.
 * @throws Refusal `validation` for a parameter that is given twice
 */
export function readQuery(schema: TObject, url: string): Record<string, unknown> {
  const start = url.indexOf("?");
  const given = new URLSearchParams(start === -1 ? "" : url.slice(start));
  const query: Record<string, unknown> = {};
  for (const [name, property] of Object.entries(schema.properties)) {
    const [text, ...others] = given.getAll(name);
    if (others.length > 0) throw invalid(`/${name}`, `\`${name}\` may be given once.`);
    if (text !== undefined) {
      const isNumber = property.type === "integer" && WHOLE_NUMBER.test(text);
      query[name] = isNumber ? Number(text) : text;
    } else if (property.default !== undefined) {
      query[name] = property.default;
    }
  }
  return query;
}
