import type * as openid from "openid-client";
import type { ServerMetadata } from "openid-client";
import type { JWTVerifyGetKey } from "jose";
import type { identityProviders } from "../database/schema.ts";
import { unsealValue } from "../platform/secrets/sealed.ts";
import type { ProviderDeps } from "./deps.ts";
import { IssuerMismatch } from "./issuer.ts";
import { createProviderFetch } from "./request.ts";

export type ProviderRow = typeof identityProviders.$inferSelect;

/** The purpose of a provider's sealed secret, also used by `secrets rotate`. */
export const CLIENT_SECRET = "OIDC client secret";

const CACHE_MS = 3_600_000;

/** Tolerated difference between the provider's clock and ours, in seconds. */
export const CLOCK_SECONDS = 60;

type ConnectionDeps = Pick<ProviderDeps, "egress" | "discovery" | "readKey">;

export type Connection = { client: typeof openid; config: openid.Configuration };

/**
 * Configures the library for a provider. Metadata is cached for an hour; keys are loaded for each sign-in, so
 * that new ones are valid at once.
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
  config[client.customFetch] = createProviderFetch(deps.egress, deps.discovery.timeoutMs);
  if (isPlain(provider.issuer)) client.allowInsecureRequests(config);
  return { client, config };
}

/** Loads an issuer's metadata, which is cached for an hour. @param isFresh ignores the cache */
export async function readMetadata(
  deps: ConnectionDeps,
  issuer: string,
  { isFresh = false } = {},
): Promise<openid.ServerMetadata> {
  const entry = deps.discovery.metadata.get(issuer);
  if (!isFresh && entry && entry.until > Date.now()) return entry.value;
  const client = await import("openid-client");
  const metadata = await client
    .discovery(new URL(issuer), "unknown", undefined, undefined, {
      [client.customFetch]: createProviderFetch(deps.egress, deps.discovery.timeoutMs),
      execute: isPlain(issuer) ? [client.allowInsecureRequests] : [],
    })
    .catch((error) => {
      throw findMismatch(error, issuer) ?? error;
    });
  const { supportsPKCE: _, ...value } = metadata.serverMetadata();
  // Some providers send it as a string, and the library treats any string as true.
  const namesIssuer: unknown = value.authorization_response_iss_parameter_supported;
  value.authorization_response_iss_parameter_supported = namesIssuer === true;
  deps.discovery.metadata.set(issuer, { until: Date.now() + CACHE_MS, value });
  return value;
}

/** Finds the metadata of another issuer, which is the cause of the library's error. */
function findMismatch(error: unknown, issuer: string): IssuerMismatch | null {
  const { cause, code } = error as { cause?: Mismatch; code?: string };
  if (code === "ERR_INVALID_URL") return new IssuerMismatch(null, issuer);
  return cause?.attribute === "issuer" ? new IssuerMismatch(cause.body?.issuer, issuer) : null;
}

type Mismatch = { attribute?: string; body?: { issuer?: unknown } };

/** Most providers accept the secret in the form; the rest use Basic authentication (OpenID Connect Core, 9). */
function authenticationOf(
  client: typeof openid,
  metadata: openid.ServerMetadata,
  secret: string | null,
): openid.ClientAuth {
  if (secret === null) return client.None();
  const methods = metadata.token_endpoint_auth_methods_supported;
  const takesPost = [methods].flat().includes("client_secret_post");
  return takesPost ? client.ClientSecretPost(secret) : client.ClientSecretBasic(secret);
}

const isPlain = (issuer: string) => issuer.startsWith("http:");

/** The minimum time between two loads of the keys because of a token with an unknown key. */
const COOLDOWN_MS = 10_000;
const KEYS_MS = 60_000;

type KeyDeps = Pick<ProviderDeps, "egress" | "discovery">;

/** Creates keys that are loaded on first use. */
export async function createKeys(
  { egress, discovery }: KeyDeps,
  { jwks_uri }: ServerMetadata,
): Promise<JWTVerifyGetKey> {
  const { createRemoteJWKSet, customFetch } = await import("jose");
  return createRemoteJWKSet(new URL(String(jwks_uri)), {
    cooldownDuration: COOLDOWN_MS,
    cacheMaxAge: KEYS_MS,
    [customFetch]: createProviderFetch(egress, discovery.timeoutMs),
  });
}

/**
 * Creates keys to check tokens that anyone can send. They are cached across requests, so that an attacker
 * cannot make Snug load them repeatedly.
 */
export async function sharedKeys(
  deps: KeyDeps,
  metadata: ServerMetadata,
): Promise<JWTVerifyGetKey> {
  const { keys } = deps.discovery;
  const uri = String(metadata.jwks_uri);
  const keySet = keys.get(uri) ?? (await createKeys(deps, metadata));
  keys.set(uri, keySet);
  return keySet;
}

export function redirectUri({ slug }: Pick<ProviderRow, "slug">, baseUrl: string): string {
  return `${baseUrl}/api/auth/oidc/${slug}/callback`;
}
