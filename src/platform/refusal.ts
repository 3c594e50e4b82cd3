import { CODES, type Code, type FieldError } from "../wire/codes.ts";
import type { DraftCopy } from "../wire/drafts.ts";
import type { Sections } from "../wire/sections.ts";
import type { Scope } from "../wire/scopes.ts";

/**
 * Thrown if a request violates a rule. The outermost layer converts it to a problem document, an
 * `error` frame or a line on stderr, so that rules do not depend on HTTP. Codes and scopes are defined
 * in `src/wire`.
 */
export class Refusal extends Error {
  override readonly name = "Refusal";

  /**
   * @param code from `wire/codes`; clients depend on it
   * @param detail a sentence for the user: what happened and what to do; the code's title by default
   * @param extensions `errors` by field, `retryAfter` in seconds, the `scope` that the token lacks, the
   * `ways` to reauthenticate, the `draft` stored by another device, the `current` sections
   */
  constructor(
    readonly code: Code,
    readonly detail: string = `${CODES[code][1]}.`,
    readonly extensions: {
      errors?: FieldError[];
      retryAfter?: number;
      scope?: Scope;
      ways?: string[];
      draft?: DraftCopy;
      current?: Sections;
    } = {},
  ) {
    super(`${code}: ${detail}`);
  }
}

export function makeFieldRefusal(path: string, message: string): Refusal {
  return new Refusal("validation", message, { errors: [{ path, message }] });
}
