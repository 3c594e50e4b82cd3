import { MAX_JSON_DEPTH, MAX_JSON_VALUES } from "../../wire/limits.ts";
import { Refusal } from "../refusal.ts";

/** Only these escapes can produce NUL or a lone surrogate; unescaped ones are invalid in JSON or UTF-8. */
const SUSPECT = /\\u(?:0000|d[89a-f])/i;
const MAX_PATH_LENGTH = 200;

const QUOTE = 0x22;
const COMMA = 0x2c;
const BACKSLASH = 0x5c;
/** The bit in which brackets and braces differ. */
const BRACE_BIT = 0x20;
const OPEN = 0x5b | BRACE_BIT;
const CLOSE = 0x5d | BRACE_BIT;

/**
 * Parses untrusted JSON.
 * @throws Refusal `bad_request` as `parseBoundedJson`; `validation` if a string contains NUL or a lone
 * surrogate, which PostgreSQL cannot store
 */
export function parseJson(text: string): unknown {
  const value = parseBoundedJson(text);
  checkStorable(text, value);
  return value;
}

/**
 * Checks every string in a value that was parsed from `text`.
 * @throws Refusal `validation` for NUL or a lone surrogate
 */
export function checkStorable(text: string, value: unknown): void {
  if (SUSPECT.test(text)) refuseUnstorable(value, "");
}

/**
 * Parses JSON after limiting its depth and its number of values, so that traversing it later cannot
 * exhaust the stack or take long.
 * @param maxValues of all types, including nested ones
 * @throws Refusal `bad_request` for invalid JSON, or if it exceeds a limit
 */
export function parseBoundedJson(source: string, maxValues = MAX_JSON_VALUES): unknown {
  // A byte order mark is not part of JSON, and parsers may ignore it (RFC 8259, 8.1).
  const text = source.startsWith("\ufeff") ? source.slice(1) : source;
  refuseLargeJson(text, maxValues);
  try {
    return JSON.parse(text);
  } catch {
    throw new Refusal("bad_request", "The body is not valid JSON.");
  }
}

/** Counts brackets and commas outside of strings in a single pass, without recursion or allocation. */
function refuseLargeJson(text: string, maxValues: number): void {
  let depth = 0;
  let values = 1;
  let isInString = false;
  for (let at = 0; at < text.length; at += 1) {
    const sign = text.charCodeAt(at);
    if (isInString) {
      if (sign === BACKSLASH) at += 1;
      else isInString = sign !== QUOTE;
    } else if (sign === QUOTE) {
      isInString = true;
    } else if (sign === COMMA) {
      values += 1;
    } else if ((sign | BRACE_BIT) === OPEN) {
      depth += 1;
      values += 1;
      if (depth > MAX_JSON_DEPTH) {
        const detail = `JSON may be nested ${MAX_JSON_DEPTH} levels deep at most.`;
        throw new Refusal("bad_request", detail);
      }
    } else if ((sign | BRACE_BIT) === CLOSE) {
      depth -= 1;
    }
    if (values > maxValues) {
      const limit = maxValues.toLocaleString("en");
      throw new Refusal("bad_request", `JSON may contain at most ${limit} values.`);
    }
  }
}

/** Whether PostgreSQL can store the text and every client can show it. */
export function isStorable(text: string): boolean {
  return !text.includes("\0") && text.isWellFormed();
}

function refuseUnstorable(value: unknown, path: string): void {
  if (typeof value === "string") {
    if (isStorable(value)) return;
    const message = "Text must not contain NUL or half a surrogate pair.";
    // Truncated, because the path consists of keys chosen by the caller.
    const errors = [{ path: path.slice(0, MAX_PATH_LENGTH), message }];
    throw new Refusal("validation", message, { errors });
  }
  if (typeof value !== "object" || value === null) return;
  for (const [key, inner] of Object.entries(value)) {
    refuseUnstorable(key, path);
    refuseUnstorable(inner, `${path}/${key}`);
  }
}
