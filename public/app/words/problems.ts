import type { Code } from "../../../src/wire/codes.ts";

/** Refusals that programs meet, and nobody at this client. */
type ForPrograms =
  | "cross_origin"
  | "insufficient_scope"
  | "invalid_token"
  | "method_not_allowed"
  | "range_not_satisfiable"
  | "seq_gone"
  | "unsupported_media_type";

/** Fields whose errors stand beside them, by their names on the wire. */
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
 * What the service refuses, for every language but its own: it speaks English and says more than its
 * codes do, so English readers read that. A new code does not compile until it is said here.
 */
export type Problems = Record<`problem.${Exclude<Code, ForPrograms>}` | `field.${Field}`, string>;
