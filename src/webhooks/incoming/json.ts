/** What others send: nothing in it can be relied on. */
export type Json = Record<string, unknown>;

/** The text, or nothing. */
export function textOf(value: unknown): string {
  return typeof value === "string" ? value.trim() : typeof value === "number" ? String(value) : "";
}

export function objectOf(value: unknown): Json {
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? (value as Json)
    : {};
}

/** The objects of a list; what is no list has none. */
export function listOf(value: unknown): Json[] {
  return Array.isArray(value) ? value.map(objectOf) : [];
}

/** Signs that would be read as Markdown, made plain text. */
export function literal(text: string): string {
  return text.replace(/[\\`*_~[\]<>#|]/g, "\\$&");
}

/** A link, or the words alone where the address is none. */
export function link(words: string, url: unknown): string {
  const address = textOf(url);
  if (!/^(?:https?:\/\/|mailto:)[^\s<>]+$/i.test(address)) return words;
  // A round bracket would end it.
  const safe = address.replace(/[()]/g, (sign) => (sign === "(" ? "%28" : "%29"));
  return `[${words}](${safe})`;
}

/** One line, cut to so many characters. */
export function brief(text: string, most = 200): string {
  const [first = ""] = text.split("\n");
  const characters = [...first.trim()];
  return characters.length > most ? `${characters.slice(0, most - 1).join("")}…` : first.trim();
}
