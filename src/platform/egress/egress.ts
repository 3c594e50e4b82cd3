import { createTimeout, waitUnlessAborted } from "../concurrency/timeout.ts";
import { ACCEPT_ENCODING, readBody } from "./body.ts";
import { sendRequest } from "./connect.ts";
import { ChainCookies } from "./cookies.ts";
import { EgressError } from "./error.ts";
import type { EgressRule } from "./rules.ts";
import { findTarget, type Resolve, resolveBySystem } from "./target.ts";

export type EgressOptions = {
  method?: string;
  /** Lower-case names. `host` and connection headers cannot be set. */
  headers?: Record<string, string>;
  body?: string | Uint8Array;
  /** Maximum size of the decompressed body in bytes. */
  maxBytes: number;
  /** Total time limit in milliseconds, including name resolution, redirects and the body. */
  timeoutMs: number;
  /**
   * Maximum number of redirects to follow, with the cookies they set. With 0, the default, a redirect
   * is returned like any other response.
   */
  redirects?: number;
  signal?: AbortSignal;
};

export type EgressResponse = {
  url: URL;
  status: number;
  /** Lower-case names. Repeated headers are joined with commas or reduced to the first, as HTTP defines. */
  headers: Record<string, string | undefined>;
  /** Can be read only once. Throws as `request` does. */
  body: AsyncIterable<Buffer>;
  /** Closes the connection without reading the body. */
  close(): void;
};

export type Egress = {
  /**
   * @throws EgressError for every failure of the URL or the remote server; the reason of `signal` when
   * it is aborted
   */
  request(url: string | URL, options: EgressOptions): Promise<EgressResponse>;
  /**
   * Checks whether a URL may be requested, for example when a webhook is created. Each request checks
   * again.
   * @throws EgressError `bad_url`, `unresolved`, `not_public`, `timeout`
   */
  checkTarget(url: string): Promise<URL>;
};

const CHECK_MS = 5_000;
const REDIRECTS = new Set([301, 302, 303, 307, 308]);
const CREDENTIALS = ["authorization", "cookie", "proxy-authorization"];
/** Headers of the body and the connection, which callers cannot set. */
const OWN_HEADERS = ["host", "connection", "content-length", "transfer-encoding", "upgrade"];

type OutgoingRequest = {
  method: string;
  headers: Record<string, string>;
  body: string | Uint8Array | null;
};

/**
 * Creates the only client for URLs supplied by people. It checks the addresses of each hop.
 * @param allow targets that the operator trusts although they are not public
 * @param ca CA certificates to trust instead of the system's
 */
export function createEgress({
  allow,
  resolve = resolveBySystem,
  ca,
}: {
  allow: readonly EgressRule[];
  resolve?: Resolve;
  ca?: string;
}): Egress {
  async function request(url: string | URL, options: EgressOptions): Promise<EgressResponse> {
    const { maxBytes, timeoutMs, redirects = 0 } = options;
    const signal = createTimeout(timeoutMs, () => createTimeoutError(timeoutMs), options.signal);
    let nextUrl: string | URL = url;
    let nextRequest = firstOf(options);
    const cookies = new ChainCookies();
    for (let hop = 0; ; hop += 1) {
      const target = await waitUnlessAborted(findTarget(nextUrl, allow, resolve), signal);
      const cookie = cookies.headerFor(target.url);
      const headers = cookie === null ? nextRequest.headers : { cookie, ...nextRequest.headers };
      const response = await sendRequest({ target, ...nextRequest, headers, signal, ca });
      const status = response.statusCode ?? 0;
      const { location } = response.headers;
      if (redirects === 0 || !REDIRECTS.has(status) || location === undefined) {
        return {
          url: target.url,
          status,
          headers: response.headers as EgressResponse["headers"],
          body: readBody(response, maxBytes, signal),
          close: () => void response.destroy(),
        };
      }
      response.destroy();
      if (hop === redirects) {
        throw new EgressError("too_many_redirects", `more than ${redirects} redirects`);
      }
      cookies.store(target.url, response);
      nextUrl = resolveRedirect(location, target.url);
      nextRequest = afterRedirect(nextRequest, status, nextUrl.origin === target.url.origin);
    }
  }

  async function checkTarget(url: string): Promise<URL> {
    const target = findTarget(url, allow, resolve);
    const signal = createTimeout(CHECK_MS, () => createTimeoutError(CHECK_MS));
    return (await waitUnlessAborted(target, signal)).url;
  }

  return { request, checkTarget };
}

function firstOf({ method = "GET", headers = {}, body }: EgressOptions): OutgoingRequest {
  return {
    method,
    headers: { "accept-encoding": ACCEPT_ENCODING, ...without(headers, OWN_HEADERS) },
    body: body ?? null,
  };
}

/** @throws EgressError `bad_answer` */
function resolveRedirect(location: string, base: URL): URL {
  // Headers are decoded as Latin-1, but URLs in them may be UTF-8.
  const url = URL.parse(Buffer.from(location, "latin1").toString("utf8"), base);
  if (!url) throw new EgressError("bad_answer", "the redirect has no valid address");
  return url;
}

/**
 * Builds the request after a redirect (RFC 9110, 15.4): a POST becomes a GET, as in browsers, and
 * credentials are not sent to another origin.
 */
function afterRedirect(
  outgoing: OutgoingRequest,
  status: number,
  isSameOrigin: boolean,
): OutgoingRequest {
  const becomesGet =
    (status === 303 && outgoing.method !== "HEAD") || (status <= 302 && outgoing.method === "POST");
  return {
    method: becomesGet ? "GET" : outgoing.method,
    headers: without(outgoing.headers, [
      ...(becomesGet ? ["content-type"] : []),
      ...(isSameOrigin ? [] : CREDENTIALS),
    ]),
    body: becomesGet ? null : outgoing.body,
  };
}

function without(headers: Record<string, string>, names: string[]): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).filter(([name]) => !names.includes(name.toLowerCase())),
  );
}

function createTimeoutError(ms: number): EgressError {
  return new EgressError("timeout", `it took longer than ${ms} ms`);
}
