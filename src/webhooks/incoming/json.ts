/** A JSON object from outside: any field may be missing or of another type. */
export type Json = Record<string, unknown>;

/** A text or number as text; "" for anything else. */
export function textOf(value: unknown): string {
  return typeof value === "string" ? value.trim() : typeof value === "number" ? String(value) : "";
}

/** The value if it is an object, or else an empty one. */
export function objectOf(value: unknown): Json {
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? (value as Json)
    : {};
}

/** The objects of a list; none if it is not a list. */
export function listOf(value: unknown): Json[] {
  return Array.isArray(value) ? value.map(objectOf) : [];
}

/** The first line, truncated to this many characters. */
export function truncateLine(text: string, max = 200): string {
  const [first = ""] = text.split("\n");
  const characters = [...first.trim()];
  return characters.length > max ? `${characters.slice(0, max - 1).join("")}…` : first.trim();
}
