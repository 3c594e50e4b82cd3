import type { ServerMetadata } from "openid-client";
import type { ProviderTest } from "../wire/providers.ts";
import {
  CLOCK_SECONDS,
  connectProvider,
  type ProviderRow,
  readMetadata,
  redirectUri,
} from "./connection.ts";
import type { ProviderDeps } from "./deps.ts";
import { IssuerMismatch } from "./issuer.ts";
import { createProviderFetch, describeFailure, findEgressError } from "./request.ts";

type Check = ProviderTest["checks"][number];
type TestDeps = Pick<ProviderDeps, "egress" | "discovery" | "readKey" | "baseUrl">;

/** Tests as much of a provider as is possible without a sign-in. */
export async function testProvider(deps: TestDeps, provider: ProviderRow): Promise<ProviderTest> {
  const checks: Check[] = [];
  const run = async <T>(check: string, work: () => Promise<[T, string]>): Promise<T | null> => {
    try {
      const [value, detail] = await work();
      checks.push({ check, ok: true, detail });
      return value;
    } catch (error) {
      const metadataIssuer = error instanceof IssuerMismatch ? error.metadataIssuer : null;
      const issuer = metadataIssuer === null ? {} : { issuer: metadataIssuer };
      checks.push({ check, ok: false, detail: describeFailure(error), ...issuer });
      return null;
    }
  };
  const metadata = await run("discovery", async () => {
    const value = await readMetadata(deps, provider.issuer, { isFresh: true });
    return [value, `${value.issuer} describes itself`];
  });
  if (metadata) {
    await run("endpoints", async () => [null, checkEndpoints(metadata)]);
    await run("keys", async () => [null, await checkKeys(deps, metadata)]);
    await run("clock", async () => [null, await checkClock(deps, metadata)]);
    await run("client", async () => [null, await checkClient(deps, provider)]);
  }
  return { ok: checks.every(({ ok }) => ok), checks };
}

function checkEndpoints(metadata: ServerMetadata): string {
  for (const name of ["authorization_endpoint", "token_endpoint", "jwks_uri"]) {
    if (typeof metadata[name] !== "string") throw new Error(`Its metadata has no ${name}`);
  }
  const types = metadata.response_types_supported;
  if (Array.isArray(types) && !types.includes("code"))
    throw new Error("It does not support the authorization code flow");
  const methods = metadata.code_challenge_methods_supported;
  const pkce =
    Array.isArray(methods) && methods.includes("S256") ? "PKCE S256" : "PKCE is not announced";
  const optional = [
    metadata.end_session_endpoint ? "signs out there too" : "no address to sign out there",
    metadata.backchannel_logout_supported ? "ends sessions here" : "does not end sessions here",
  ];
  return [pkce, ...optional].join("; ");
}

async function checkKeys(deps: TestDeps, metadata: ServerMetadata): Promise<string> {
  const fetch = createProviderFetch(deps.egress, deps.discovery.timeoutMs);
  const response = await fetch(String(metadata.jwks_uri), {});
  if (!response.ok) throw new Error(`jwks_uri responds with ${response.status}`);
  const { keys = [] } = (await response.json()) as { keys?: { use?: string; kty?: string }[] };
  const signingKeys = keys.filter(({ use, kty }) => (use ?? "sig") === "sig" && kty !== "oct");
  if (signingKeys.length === 0) throw new Error("jwks_uri has no signing key");
  return `${signingKeys.length} of ${keys.length} keys sign`;
}

/** A provider that knows the client refuses a code that it never issued (RFC 6749, 5.2). */
async function checkClient(deps: TestDeps, provider: ProviderRow): Promise<string> {
  const { client, config } = await connectProvider(deps, provider);
  const grant = {
    code: "a code of a test",
    redirect_uri: redirectUri(provider, deps.baseUrl),
    code_verifier: client.randomPKCECodeVerifier(),
  };
  const error: unknown = await client.genericGrantRequest(config, "authorization_code", grant).then(
    () => null,
    (failure) => failure,
  );
  if (findEgressError(error)) throw error;
  const { error: code, status } = (error ?? {}) as { error?: string; status?: number };
  if (code === "invalid_client" || code === "unauthorized_client" || status === 401) {
    throw new Error("It rejects the client ID or secret, which may be wrong or expired");
  }
  return code === "invalid_grant" ? "it knows the client and its secret" : "it does not say";
}

async function checkClock(deps: TestDeps, metadata: ServerMetadata): Promise<string> {
  const fetch = createProviderFetch(deps.egress, deps.discovery.timeoutMs);
  const response = await fetch(String(metadata.jwks_uri), {});
  const date = Date.parse(response.headers.get("date") ?? "");
  if (Number.isNaN(date)) return "it does not say its time";
  const seconds = Math.round((date - Date.now()) / 1_000);
  if (Math.abs(seconds) > CLOCK_SECONDS) {
    const side = seconds > 0 ? "ahead of" : "behind";
    throw new Error(
      `Its clock is ${Math.abs(seconds)} s ${side} ours, and ${CLOCK_SECONDS} s are allowed: synchronize both with NTP`,
    );
  }
  return `${Math.abs(seconds)} s apart`;
}
