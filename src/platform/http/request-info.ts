import { isIP } from "node:net";

/** Data about a request that the HTTP edge records for handlers. */
type RequestInfo = {
  /** The caller's `X-Request-Id` if it is well-formed, otherwise a generated id. */
  readonly id: string;
  /** The caller's IP address as reported by the trusted proxies; `unknown` if they report none. */
  readonly address: string;
  /** False if the request came through an untrusted proxy, in which case `address` is that proxy's. */
  readonly isDirect: boolean;
  /** The pattern of the matched route; null before the match, or if no route matches. */
  route: string | null;
  /** The ids in the path, by parameter name. */
  ids: Record<string, string>;
  /** For HEAD, the length in bytes of the body that GET would return, if known. */
  length: number | null;
  /** Idle time in seconds after which the connection is closed. */
  readonly idleSeconds: number;
  /** Changes the idle timeout; 0 disables it. */
  setTimeout(seconds: number): void;
};

type Edge = {
  /** The address of the TCP connection. */
  peer: string;
  /** The number of reverse proxies in front, each of which appends to `X-Forwarded-For`. */
  trustProxy: number;
  idleSeconds?: number;
  setTimeout?(seconds: number): void;
};

const UNKNOWN_ADDRESS = "unknown";

/**
 * Idle timeout of connections in seconds, for a stalled upload or a reader that has stopped. Bun allows
 * at most 255, checks every four seconds, and counts a reader as active from about 6 kB per second. All
 * other waits in handlers have shorter timeouts.
 */
export const IDLE_SECONDS = 240;
const infos = new WeakMap<Request, RequestInfo>();
const PROXY_HEADERS = ["x-forwarded-for", "forwarded", "x-real-ip", "via"];
const OWN_ID = /^[A-Za-z0-9_-]{1,64}$/;

export function recordRequest(
  request: Request,
  { peer, trustProxy, idleSeconds = IDLE_SECONDS, setTimeout = () => {} }: Edge,
): RequestInfo {
  const { headers } = request;
  const requestId = headers.get("x-request-id");
  const info: RequestInfo = {
    id: requestId !== null && OWN_ID.test(requestId) ? requestId : Bun.randomUUIDv7("base64url"),
    address: findCallerAddress(headers.get("x-forwarded-for"), peer, trustProxy),
    isDirect: trustProxy > 0 || !PROXY_HEADERS.some((name) => headers.has(name)),
    route: null,
    ids: {},
    length: null,
    idleSeconds,
    setTimeout,
  };
  infos.set(request, info);
  return info;
}

/** Returns the recorded data of a request; tests may have recorded none. */
export function requestInfo(request: Request): RequestInfo {
  return infos.get(request) ?? recordRequest(request, { peer: UNKNOWN_ADDRESS, trustProxy: 0 });
}

/**
 * The n-th entry from the right was added by the n-th proxy. Anyone can forge the entries to the left
 * of it.
 */
function findCallerAddress(forwardedFor: string | null, peer: string, trustProxy: number): string {
  if (trustProxy === 0 || !forwardedFor) return peer;
  const hops = forwardedFor.split(",").map((hop) => hop.trim());
  const address = hops.at(-trustProxy) ?? hops[0] ?? "";
  return isIP(address) === 0 ? UNKNOWN_ADDRESS : address;
}

export function callerOf(request: Request): { address: string; userAgent: string | null } {
  return {
    address: requestInfo(request).address,
    userAgent: request.headers.get("user-agent"),
  };
}
