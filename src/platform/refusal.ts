import { CODES, type Code, type FieldError } from "../wire/codes.ts";
import type { Scope } from "../wire/scopes.ts";

/**
 * What a rule throws when it says no. The edges turn it into a problem document, an `error` frame
 * or a line on stderr; rules know nothing of HTTP.
 */
export class Refusal extends Error {
  override readonly name = "Refusal";

  /**
   * @param code the stable word of `wire/codes`
   * @param detail a sentence for a person: what happened and what to do; the code's title if left out
   * @param more `errors` by field, `retryAfter` in seconds, the `scope` that a token lacks
   */
  constructor(
    readonly code: Code,
    readonly detail: string = `${CODES[code][1]}.`,
    readonly more: { errors?: FieldError[]; retryAfter?: number; scope?: Scope } = {},
  ) {
    super(`${code}: ${detail}`);
  }
}

/** A refusal that points at one field of the request. */
export function invalid(path: string, message: string): Refusal {
  return new Refusal("validation", message, { errors: [{ path, message }] });
}
