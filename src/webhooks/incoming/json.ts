/** A JSON object from outside: any field may be missing or of another type. */
export type Json = Record<string, unknown>;

/** The value if it is a string or number, as a string; "" otherwise. */
export function textOf(value: unknown): string {
  return typeof value === "string" ? value.trim() : typeof value === "number" ? String(value) : "";
}

/** The value if it is an object; {} otherwise. */
export function objectOf(value: unknown): Json {
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? (value as Json)
    : {};
}

/** The objects of an array; [] if it is not an array. */
export function listOf(value: unknown): Json[] {
  return Array.isArray(value) ? value.map(objectOf) : [];
}

/** The first line, truncated to this many characters. */
export function truncateLine(text: string, max = 200): string {
  const [first = ""] = text.split("\n");
  const characters = [...first.trim()];
  return characters.length > max ? `${characters.slice(0, max - 1).join("")}…` : first.trim();
}

/**
 * Cuts the texts of a payload, so that a large one takes no longer to format than a long message.
 * Texts nearer to the top of the payload take precedence.
 * @param limit of all texts together, in UTF-16 units
 * @returns whether something was cut
 */
export function limitTexts(payload: Json, limit: number): boolean {
  let remaining = limit;
  let isCut = false;
  const stack: (Json | unknown[])[] = [payload];
  for (let i = 0; i < stack.length; i += 1) {
    const holder = stack[i] as Json;
    for (const [key, value] of Object.entries(holder)) {
      if (typeof value === "object" && value !== null) stack.push(value as Json);
      if (typeof value !== "string") continue;
      if (value.length > remaining) {
        holder[key] = value.slice(0, remaining).toWellFormed();
        isCut = true;
      }
      remaining -= Math.min(remaining, value.length);
    }
  }
  return isCut;
}
