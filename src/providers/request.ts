import type { Egress } from "../platform/egress/egress.ts";
import { EgressError } from "../platform/egress/error.ts";
import { Refusal } from "../platform/refusal.ts";
import { getLogger } from "../platform/log.ts";
import { IssuerMismatch } from "./issuer.ts";

const log = getLogger("sign-in");

const MAX_BYTES = 1024 ** 2;

type ProviderFetch = (
  url: string,
  options: { method?: string; headers?: unknown; body?: unknown },
) => Promise<Response>;

/** The `fetch` of the libraries that call providers, which goes through `platform/egress`. */
export function createProviderFetch(egress: Egress, timeoutMs: number): ProviderFetch {
  return async (url, { method = "GET", headers, body }) => {
    const response = await egress.request(url, {
      method,
      headers: Object.fromEntries(new Headers(headers as HeadersInit | undefined)),
      body: toBody(body),
      maxBytes: MAX_BYTES,
      timeoutMs,
    });
    const bytes = Buffer.concat(await Array.fromAsync(response.body));
    const headersCopy = new Headers();
    for (const name of ["content-type", "date", "www-authenticate"]) {
      const value = response.headers[name];
      if (value !== undefined) headersCopy.set(name, value);
    }
    // `Response` throws for a body with these statuses.
    const isEmpty = [204, 205, 304].includes(response.status);
    const text = isEmpty ? null : bytes.toString("utf8");
    return new Response(text, { status: response.status, headers: headersCopy });
  };
}

function toBody(body: unknown): string | Uint8Array | undefined {
  if (body === undefined || body === null) return undefined;
  return body instanceof Uint8Array ? body : String(body);
}

/** @throws Error if the text is not a JSON object */
export function readJsonObject(text: string): { [name: string]: unknown } {
  const value: unknown = JSON.parse(text);
  if (typeof value === "object" && value !== null && !Array.isArray(value)) {
    return value as { [name: string]: unknown };
  }
  throw new Error("The response is not a JSON object");
}

/** Finds the EgressError among the causes of a library's error. */
export function findEgressError(error: unknown): EgressError | null {
  for (let cause = error; cause instanceof Error; cause = cause.cause as Error) {
    if (cause instanceof EgressError) return cause;
  }
  return null;
}

/** Describes the failure for administrators, without tokens and secrets. */
export function describeFailure(error: unknown): string {
  const egress = findEgressError(error);
  if (egress?.reason === "not_public") {
    return "Its address is inside the network. Allow it with EGRESS_ALLOW, for example EGRESS_ALLOW=idp.internal:443.";
  }
  if (egress) return `It cannot be reached (${egress.message}).`;
  const {
    message,
    code,
    error: providerError,
    cause,
  } = error as Error & { code?: string; error?: string };
  const inner = cause instanceof Error && cause.message !== message ? `: ${cause.message}` : "";
  const words = [message, providerError && `it says ${providerError}`, code && `(${code})`];
  return `${words.filter(Boolean).join(" ")}${inner}.`.slice(0, 500);
}

export function toStartRefusal(error: unknown, slug: string): Refusal {
  if (error instanceof Refusal) return error;
  const egress = findEgressError(error);
  if (!egress && !isOfProvider(error)) throw error;
  log.warn("A sign-in provider cannot be reached.", {
    provider: slug,
    error: describeFailure(error),
  });
  // Only the operator may see addresses of the internal network.
  return new Refusal(
    "provider_failed",
    egress?.reason === "not_public"
      ? describeFailure(error)
      : "The provider cannot be reached. Try again later, or tell an administrator.",
  );
}

/** Whether an error is from the OpenID Connect library, whose codes start with `OAUTH_`. */
function isOfProvider(error: unknown): boolean {
  if (error instanceof IssuerMismatch) return true;
  return String((error as { code?: unknown }).code ?? "").startsWith("OAUTH_");
}
