/**
 * Why a request was not made, or came to nothing:
 * `bad_url` not http or https, with credentials, or no URL at all; `not_public` leads to an address
 * that is not on the public internet; `unresolved` the name has no address; `unreachable` nobody
 * took the connection, or it was cut; `untrusted` the certificate is not good for the name;
 * `timeout`; `too_large`; `too_many_redirects`; `bad_answer` what came back is not HTTP, or is
 * packed in a way that was not asked for.
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
