import type { JWTVerifyGetKey } from "jose";
import type { ServerMetadata } from "openid-client";
import type { Cookie } from "../authentication/cookies.ts";
import type { Egress } from "../platform/egress/egress.ts";
import type { SignInDeps } from "../sign-in/deps.ts";

export type ProviderDeps = SignInDeps & {
  egress: Egress;
  flow: Cookie;
  discovery: Discovery;
};

/** Caches of issuers' metadata and keys, and the timeout for their responses. */
type Discovery = {
  readonly metadata: Map<string, { until: number; value: ServerMetadata }>;
  readonly keys: Map<string, JWTVerifyGetKey>;
  readonly timeoutMs: number;
};

const TIMEOUT_MS = 8_000;

export function createDiscovery(timeoutMs = TIMEOUT_MS): Discovery {
  return { metadata: new Map(), keys: new Map(), timeoutMs };
}
