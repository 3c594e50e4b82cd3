/**
 * Why a request was refused or failed:
 * - `bad_url`: the URL is invalid, not http or https, or contains credentials.
 * - `not_public`: it leads to an address that is not on the public internet.
 * - `unresolved`: the name does not resolve.
 * - `unreachable`: the connection was refused or reset.
 * - `untrusted`: the certificate is not valid for the name.
 * - `bad_answer`: the response is not valid HTTP, or has an encoding that was not requested.
 * - `timeout`, `too_large`, `too_many_redirects`.
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

/** A request failed because of its URL or the remote server. */
export class EgressError extends Error {
  override readonly name = "EgressError";

  constructor(
    readonly reason: EgressReason,
    detail: string,
  ) {
    super(`${reason}: ${detail}`);
  }
}
