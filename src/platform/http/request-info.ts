import { isIP } from "node:net";

/** What the HTTP edge records about a request, for the code behind it. */
export type RequestInfo = {
  /** The caller's own `X-Request-Id` if it is well-formed, else one of ours. */
  readonly id: string;
  /** The caller's IP address as the trusted proxies report it, `unknown` if they report none. */
  readonly address: string;
  /** False if the request came through an untrusted proxy, whose address `address` then is. */
  readonly isDirect: boolean;
  /** The pattern of the matched route; null before the match, or without one. */
  route: string | null;
  /** The ids in its address, by the names of the route's pattern. */
  ids: Record<string, string>;
  /** For HEAD, the length of the body that GET would return, in bytes, if it is known. */
  length: number | null;
  /** After how long without a byte in either direction the connection is closed. */
  readonly idleSeconds: number;
  /** Changes that time; 0 for no limit. */
  setTimeout(seconds: number): void;
};

/** The connection of a request. */
export type Edge = {
  /** The address of the TCP connection. */
  peer: string;
  /** How many reverse proxies are in front; each appends to `X-Forwarded-For`. */
  trustProxy: number;
  idleSeconds?: number;
  setTimeout?(seconds: number): void;
};

const UNKNOWN_ADDRESS = "unknown";

/**
 * After how long without a byte a connection is closed: a stalled upload, a reader that has stopped.
 * Bun allows 255, checks every four seconds, and counts a reader as active from about 6 kB a second.
 * Everything that a handler waits for has a shorter timeout.
 */
export const IDLE_SECONDS = 240;
const infos = new WeakMap<Request, RequestInfo>();
const PROXY_HEADERS = ["x-forwarded-for", "forwarded", "x-real-ip", "via"];
const OWN_ID = /^[A-Za-z0-9_-]{1,64}$/;

/** Records a request that has arrived. */
export function noteRequest(request: Request, edge: Edge): RequestInfo {
  const requestId = request.headers.get("x-request-id");
  const forwarded = request.headers.get("x-forwarded-for");
  const id =
    requestId !== null && OWN_ID.test(requestId) ? requestId : Bun.randomUUIDv7("base64url");
  const address = findCallerAddress(forwarded, edge.peer, edge.trustProxy);
  const info = createInfo(id, address, request, edge);
  infos.set(request, info);
  return info;
}

/** What is known of a request beside itself; its defaults where nothing was noted. */
export function requestInfo(request: Request): RequestInfo {
  const edge = { peer: UNKNOWN_ADDRESS, trustProxy: 0 };
  return infos.get(request) ?? createInfo("-", UNKNOWN_ADDRESS, request, edge);
}

function createInfo(id: string, address: string, request: Request, edge: Edge): RequestInfo {
  return {
    id,
    address,
    isDirect: edge.trustProxy > 0 || !PROXY_HEADERS.some((name) => request.headers.has(name)),
    route: null,
    ids: {},
    length: null,
    idleSeconds: edge.idleSeconds ?? IDLE_SECONDS,
    setTimeout: (seconds) => edge.setTimeout?.(seconds),
  };
}

/** The n-th entry from the right is what the n-th proxy saw. Anyone can forge those left of it. */
function findCallerAddress(forwarded: string | null, peer: string, trustProxy: number): string {
  if (trustProxy === 0 || !forwarded) return peer;
  const hops = forwarded.split(",").map((hop) => hop.trim());
  const address = hops.at(-trustProxy) ?? hops[0] ?? "";
  return isIP(address) === 0 ? UNKNOWN_ADDRESS : address;
}

/** The caller's address and user agent. */
export function callerOf(request: Request): { address: string; userAgent: string | null } {
  return {
    address: requestInfo(request).address,
    userAgent: request.headers.get("user-agent"),
  };
}
