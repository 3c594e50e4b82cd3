/**
 * Why a request was refused or failed:
 * `bad_url` not http or https, with credentials, or no URL at all; `not_public` leads to an address
 * that is not on the public internet; `unresolved` the name has no address; `unreachable` the
 * connection was refused or reset; `untrusted` the certificate is not valid for the name;
 * `timeout`; `too_large`; `too_many_redirects`; `bad_answer` the response is not HTTP, or
 * has an encoding that was not requested.
 */
export type EgressReason =
  | "bad_url"
  | "not_public"
  | "unresolved"
  | "unreachable"
  | "untrusted"
  | "timeout"
  | "too_large"
  | "too_many_redirects"
  | "bad_answer";

/** A request that failed because of its URL or the other side. */
export class EgressError extends Error {
  override readonly name = "EgressError";

  constructor(
    readonly reason: EgressReason,
    detail: string,
  ) {
    super(`${reason}: ${detail}`);
  }
}
