import { type IncomingMessage, request as requestPlain } from "node:http";
import { request as requestSecure } from "node:https";
import { isIP, type LookupFunction } from "node:net";
import { EgressError } from "./error.ts";
import type { Target } from "./target.ts";

/** A single request; redirects are not followed. */
type Hop = {
  target: Target;
  method: string;
  headers: Record<string, string>;
  body: string | Uint8Array | null;
  signal: AbortSignal;
  /** CA certificates to trust instead of the system's. */
  ca: string | undefined;
  /** Connection timeout per address in milliseconds; five seconds by default. */
  connectMs?: number;
};

/** Errors before anything was sent, after which the next address is tried. */
const NOT_CONNECTED = new Set([
  "ECONNREFUSED",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "EADDRNOTAVAIL",
  "EAFNOSUPPORT",
  "CONNECT_TIMEOUT",
]);
const CONNECT_MS = 5_000;

/**
 * Sends a request to the checked addresses, in order until one accepts the connection. The name is not
 * resolved again; the certificate is checked against the name. Connections are not reused, and proxies
 * are not used, because they would resolve the name themselves.
 * @returns the response once its headers have arrived
 * @throws EgressError `unreachable`, `untrusted`, `bad_answer`, `timeout`; the signal's reason when it
 * is aborted
 */
export async function sendRequest(hop: Hop): Promise<IncomingMessage> {
  for (const [i, address] of hop.target.addresses.entries()) {
    try {
      return await send(hop, address);
    } catch (error) {
      hop.signal.throwIfAborted();
      const isLast = i === hop.target.addresses.length - 1;
      if (isLast || !NOT_CONNECTED.has(codeOf(error))) throw toEgressError(error);
    }
  }
  throw new EgressError("unreachable", "no address accepted the connection");
}

function send(hop: Hop, address: string): Promise<IncomingMessage> {
  const { target, method, headers, body, signal, ca, connectMs = CONNECT_MS } = hop;
  const lookup: LookupFunction = (_, { all }, callback) => {
    const family = isIP(address);
    if (all) callback(null, [{ address, family }]);
    else callback(null, address, family);
  };
  const isSecure = target.url.protocol === "https:";
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  const options = { method, headers, signal, lookup, agent: false as const };
  let timer: ReturnType<typeof setTimeout> | undefined;
  const request = isSecure
    ? requestSecure(target.url, { ...options, ca, rejectUnauthorized: true }, resolve)
    : requestPlain(target.url, options, resolve);
  request.on("error", reject);
  request.on("socket", (socket) => {
    if (!socket.connecting) return;
    const error = Object.assign(new Error("the connection timed out"), { code: "CONNECT_TIMEOUT" });
    timer = setTimeout(() => {
      reject(error);
      request.destroy(error);
    }, connectMs);
    socket.once("connect", () => clearTimeout(timer));
  });
  request.end(body ?? undefined);
  return promise.finally(() => clearTimeout(timer));
}

function codeOf(error: unknown): string {
  return String((error as NodeJS.ErrnoException).code ?? "");
}

export function toEgressError(error: unknown): EgressError {
  if (error instanceof EgressError) return error;
  const code = codeOf(error);
  if (code === "CONNECT_TIMEOUT") {
    return new EgressError("timeout", "no address accepted the connection");
  }
  if (/CERT|SIGNATURE|ERR_TLS|ERR_SSL|SELF_SIGNED|ISSUER/.test(code)) {
    return new EgressError("untrusted", `the certificate is not valid for this name (${code})`);
  }
  if (code.startsWith("HPE_") || code.startsWith("Z_") || code.startsWith("ERR_")) {
    return new EgressError("bad_answer", `the response could not be read (${code})`);
  }
  return new EgressError("unreachable", `the connection failed (${code || "unknown"})`);
}
