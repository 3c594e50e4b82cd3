import { CODES, type Code, type FieldError } from "../wire/codes.ts";
import type { DraftCopy } from "../wire/drafts.ts";
import type { Scope } from "../wire/scopes.ts";

/**
 * Thrown by a rule that refuses. The edges turn it into a problem document, an `error` frame or a line
 * on stderr, so rules do not depend on HTTP. Codes and scopes are those of `src/wire`, chat's included.
 */
export class Refusal extends Error {
  override readonly name = "Refusal";

  /**
   * @param code of `wire/codes`; clients depend on it
   * @param detail a sentence for a person: what happened and what to do; the code's title if left out
   * @param more `errors` by field, `retryAfter` in seconds, the `scope` that the token lacks,
   * the `ways` to prove who one is, the `draft` that another device has written
   */
  constructor(
    readonly code: Code,
    readonly detail: string = `${CODES[code][1]}.`,
    readonly more: {
      errors?: FieldError[];
      retryAfter?: number;
      scope?: Scope;
      ways?: string[];
      draft?: DraftCopy;
    } = {},
  ) {
    super(`${code}: ${detail}`);
  }
}

/** Creates a refusal of one field of the request. */
export function makeInvalid(path: string, message: string): Refusal {
  return new Refusal("validation", message, { errors: [{ path, message }] });
}
