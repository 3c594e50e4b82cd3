import { isIP } from "node:net";

/** What the door notes of a request for those inside. */
export type RequestInfo = {
  /** The caller's own `X-Request-Id` if it is well-formed, else one of ours. */
  id: string;
  /** The caller's IP address, seen past the trusted proxies; `unknown` where they name none. */
  address: string;
  /** False if the request came through a proxy that is not trusted: `address` is the proxy's then. */
  isDirect: boolean;
  /** The pattern of the route that took it; null before it is found, or where there is none. */
  route: string | null;
  /** The ids in its address, by the names of the route's pattern. */
  ids: Record<string, string>;
  /** How long the body of a HEAD's answer would be, in bytes, where it was not made to be counted. */
  length: number | null;
  /** For how many seconds nothing may come or go before the connection is cut. */
  idleSeconds: number;
  /** Sets that time for what follows; 0: for ever. */
  setTimeout(seconds: number): void;
};

const UNKNOWN_ADDRESS = "unknown";

/**
 * A connection on which nothing comes or goes for so long is cut: a stalled upload, a reader that
 * has stopped, a caller that waits. Bun allows 255, looks every four seconds, and takes a reader's
 * pace for movement where it reads about 6 kB a second. All that a handler waits for ends sooner.
 */
export const IDLE_SECONDS = 240;
const UNKNOWN: RequestInfo = {
  id: "-",
  address: UNKNOWN_ADDRESS,
  isDirect: false,
  route: null,
  ids: {},
  length: null,
  idleSeconds: IDLE_SECONDS,
  setTimeout() {},
};
const infos = new WeakMap<Request, RequestInfo>();
const PROXY_HEADERS = ["x-forwarded-for", "forwarded", "x-real-ip", "via"];
const OWN_ID = /^[A-Za-z0-9_-]{1,64}$/;

/**
 * @param peer the address of the TCP connection
 * @param trustProxy how many reverse proxies stand in front; each appends to `X-Forwarded-For`
 */
export function noteRequest(
  request: Request,
  peer: string,
  trustProxy: number,
  connection: Partial<Pick<RequestInfo, "idleSeconds" | "setTimeout">> = {},
): RequestInfo {
  const given = request.headers.get("x-request-id");
  const forwarded = request.headers.get("x-forwarded-for");
  const info = {
    id: given !== null && OWN_ID.test(given) ? given : Bun.randomUUIDv7("base64url"),
    address: callerAddress(forwarded, peer, trustProxy),
    isDirect: trustProxy > 0 || !PROXY_HEADERS.some((name) => request.headers.has(name)),
    route: null,
    ids: {},
    length: null,
    idleSeconds: UNKNOWN.idleSeconds,
    setTimeout: UNKNOWN.setTimeout,
    ...connection,
  };
  infos.set(request, info);
  return info;
}

export function requestInfo(request: Request): RequestInfo {
  return infos.get(request) ?? { ...UNKNOWN };
}

/** The n-th entry from the right is what the n-th proxy saw; what is left of it, anyone can write. */
function callerAddress(forwarded: string | null, peer: string, trustProxy: number): string {
  if (trustProxy === 0 || !forwarded) return peer;
  const hops = forwarded.split(",").map((hop) => hop.trim());
  const address = hops.at(-trustProxy) ?? hops[0] ?? "";
  return isIP(address) === 0 ? UNKNOWN_ADDRESS : address;
}

/** From where a request comes, and with what browser. */
export function callerOf(request: Request): { address: string; userAgent: string | null } {
  return {
    address: requestInfo(request).address,
    userAgent: request.headers.get("user-agent"),
  };
}
