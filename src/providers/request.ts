import type { Egress } from "../platform/egress/egress.ts";
import { EgressError } from "../platform/egress/error.ts";
import { Refusal } from "../platform/refusal.ts";
import { getLogger } from "../platform/log.ts";

const log = getLogger("sign-in");

/** The limit of a document, a token or keys, in bytes. */
const MAX_BYTES = 1024 ** 2;

type ProviderFetch = (
  url: string,
  options: { method?: string; headers?: unknown; body?: unknown },
) => Promise<Response>;

/**
 * `fetch` for the libraries that call providers. It uses `platform/egress`, as every outgoing
 * request does.
 */
export function createProviderFetch(egress: Egress, timeoutMs: number): ProviderFetch {
  return async (url, { method = "GET", headers, body }) => {
    const answer = await egress.request(url, {
      method,
      headers: Object.fromEntries(new Headers(headers as HeadersInit | undefined)),
      body: toBody(body),
      maxBytes: MAX_BYTES,
      timeoutMs,
    });
    const chunks: Buffer[] = [];
    for await (const chunk of answer.body) chunks.push(chunk);
    const sent = new Headers();
    for (const name of ["content-type", "date", "www-authenticate"]) {
      const value = answer.headers[name];
      if (value !== undefined) sent.set(name, value);
    }
    // A Response with these must not have a body.
    const isBare = [204, 205, 304].includes(answer.status);
    const text = isBare ? null : Buffer.concat(chunks).toString("utf8");
    return new Response(text, { status: answer.status, headers: sent });
  };
}

function toBody(body: unknown): string | Uint8Array | undefined {
  if (body === undefined || body === null) return undefined;
  return body instanceof Uint8Array ? body : String(body);
}

/** Finds the cause of a failed request to a provider, below the errors of a library. */
export function findEgressError(error: unknown): EgressError | null {
  for (let one = error; one instanceof Error; one = one.cause as Error) {
    if (one instanceof EgressError) return one;
  }
  return null;
}

/** Why a provider failed, for those who set it up: it names no token and no secret. */
export function describeFailure(error: unknown): string {
  const egress = findEgressError(error);
  if (egress?.reason === "not_public") {
    return "Its address is inside the network. Allow it with EGRESS_ALLOW, for example EGRESS_ALLOW=idp.internal:443.";
  }
  if (egress) return `It cannot be reached (${egress.message}).`;
  const { message, code, error: said, cause } = error as Error & { code?: string; error?: string };
  const inner = cause instanceof Error && cause.message !== message ? `: ${cause.message}` : "";
  const words = [message, said && `it says ${said}`, code && `(${code})`];
  return `${words.filter(Boolean).join(" ")}${inner}.`.slice(0, 500);
}

export function toStartRefusal(error: unknown, slug: string): Refusal {
  if (error instanceof Refusal) return error;
  const egress = findEgressError(error);
  if (!egress && !isOfProvider(error)) throw error;
  log.warn("A provider could not be reached.", { provider: slug, error: describeFailure(error) });
  // Addresses inside the network are for the operator alone.
  return new Refusal(
    "provider_failed",
    egress?.reason === "not_public"
      ? describeFailure(error)
      : "The provider cannot be reached. Try again later, or tell an administrator.",
  );
}

/** The library's errors have codes of their own. */
function isOfProvider(error: unknown): boolean {
  return String((error as { code?: unknown }).code ?? "").startsWith("OAUTH_");
}
