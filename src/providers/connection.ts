import type * as openid from "openid-client";
import type { identityProviders } from "../database/schema.ts";
import { isLoopback } from "../platform/addresses.ts";
import { makeInvalid } from "../platform/refusal.ts";
import { unsealValue } from "../platform/sealed.ts";
import type { ProviderDeps } from "./deps.ts";
import { createProviderFetch } from "./request.ts";

export type ProviderRow = typeof identityProviders.$inferSelect;

/** The purpose of a provider's sealed secret, also used by `secrets rotate`. */
export const CLIENT_SECRET = "OIDC client secret";

const CACHE_MS = 3_600_000;
/** How far the provider's clock may be from ours. */
export const CLOCK_SECONDS = 60;

type ConnectionDeps = Pick<ProviderDeps, "egress" | "discovery" | "readKey">;

/** A provider in the form of the library. */
export type Connection = { client: typeof openid; config: openid.Configuration };

/**
 * Prepares to speak with a provider. Its metadata is cached for an hour; its keys are loaded for
 * each sign-in, so that new ones are valid at once.
 * @throws the library's errors, and EgressError as a cause
 */
export async function connectProvider(
  deps: ConnectionDeps,
  provider: ProviderRow,
): Promise<Connection> {
  const client = await import("openid-client");
  const metadata = await readMetadata(deps, provider.issuer);
  const secret =
    provider.clientSecret &&
    unsealValue(await deps.readKey(), CLIENT_SECRET, provider.clientSecret);
  const config = new client.Configuration(
    metadata,
    provider.clientId,
    { [client.clockTolerance]: CLOCK_SECONDS },
    authenticationOf(client, metadata, secret),
  );
  prepare(deps, client, config, provider.issuer);
  // Without this the code flow accepts an ID token without checking its signature (OpenID Connect
  // Core, 3.1.3.7).
  client.enableNonRepudiationChecks(config);
  return { client, config };
}

/** Loads an issuer's metadata, or returns what was loaded within the last hour. */
export async function readMetadata(
  deps: ConnectionDeps,
  issuer: string,
  { isFresh = false } = {},
): Promise<openid.ServerMetadata> {
  const cached = deps.discovery.metadata.get(issuer);
  if (!isFresh && cached && cached.until > Date.now()) return cached.value;
  const client = await import("openid-client");
  const found = await client.discovery(new URL(issuer), "unknown", undefined, undefined, {
    [client.customFetch]: createProviderFetch(deps.egress, deps.discovery.timeoutMs),
    execute: isPlain(issuer) ? [client.allowInsecureRequests] : [],
  });
  const { supportsPKCE: _, ...value } = found.serverMetadata();
  deps.discovery.metadata.set(issuer, { until: Date.now() + CACHE_MS, value });
  return value;
}

function prepare(
  deps: ConnectionDeps,
  client: typeof openid,
  config: openid.Configuration,
  issuer: string,
): void {
  config[client.customFetch] = createProviderFetch(deps.egress, deps.discovery.timeoutMs);
  if (isPlain(issuer)) client.allowInsecureRequests(config);
}

/** Most providers take the secret in the form; all others take it as Basic (OpenID Connect Core, 9). */
function authenticationOf(
  client: typeof openid,
  metadata: openid.ServerMetadata,
  secret: string | null,
): openid.ClientAuth {
  if (secret === null) return client.None();
  const methods = metadata.token_endpoint_auth_methods_supported;
  const takesPost = Array.isArray(methods) && methods.includes("client_secret_post");
  return takesPost ? client.ClientSecretPost(secret) : client.ClientSecretBasic(secret);
}

const isPlain = (issuer: string) => issuer.startsWith("http:");

/**
 * Checks the address of an issuer: https, or http on this machine.
 * @throws Refusal `validation`
 */
export function cleanIssuer(text: string): string {
  const url = URL.parse(text.trim());
  const isLocal = url?.hostname === "localhost" || isLoopback(url?.hostname ?? "");
  const isSecure = url?.protocol === "https:" || (url?.protocol === "http:" && isLocal);
  if (!url || !isSecure || url.search || url.hash || url.username || url.password) {
    throw makeInvalid("/issuer", "An issuer is an https address, as the provider shows it.");
  }
  // Unchanged, since it is compared with the issuer in the metadata.
  return text.trim();
}
