import type { Code } from "../../../src/wire/codes.ts";

/** Codes that this client never receives. */
type ForPrograms =
  | "cross_origin"
  | "insufficient_scope"
  | "invalid_token"
  | "method_not_allowed"
  | "range_not_satisfiable"
  | "seq_gone"
  | "unsupported_media_type";

/** Form fields that show their errors, by their names on the wire. */
type Field =
  | "current_password"
  | "description"
  | "display_name"
  | "email"
  | "expires_at"
  | "from"
  | "host"
  | "max_bytes"
  | "name"
  | "new_password"
  | "password"
  | "port"
  | "room_ids"
  | "scopes"
  | "secret"
  | "to"
  | "url"
  | "username";

/**
 * The error texts of every language but English: the service answers in English, and its details say
 * more than a code can. A new code does not compile until it has a text here.
 */
export type Problems = Record<`problem.${Exclude<Code, ForPrograms>}` | `field.${Field}`, string>;
