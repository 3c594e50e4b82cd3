import type { JWTVerifyGetKey } from "jose";
import type { ServerMetadata } from "openid-client";
import type { Cookie } from "../authentication/cookies.ts";
import type { Egress } from "../platform/egress/egress.ts";
import type { SignInDeps } from "../sign-in/deps.ts";

export type ProviderDeps = SignInDeps & {
  egress: Egress;
  /** The cookie of a browser while its user signs in at a provider. */
  flow: Cookie;
  discovery: Discovery;
};

/** Caches of issuers' metadata and keys, and the time in which they must respond. */
export type Discovery = {
  readonly metadata: Map<string, { until: number; value: ServerMetadata }>;
  readonly keys: Map<string, JWTVerifyGetKey>;
  readonly timeoutMs: number;
};

const TIMEOUT_MS = 8_000;

export function createDiscovery(timeoutMs = TIMEOUT_MS): Discovery {
  return { metadata: new Map(), keys: new Map(), timeoutMs };
}
