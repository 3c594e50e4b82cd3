import type { ServerMetadata } from "openid-client";
import type { Cookie } from "../accounts/cookie.ts";
import type { Egress } from "../platform/egress/egress.ts";
import type { SignInDeps } from "../sign-in/deps.ts";

/** What signing in with a provider works with. */
export type ProviderDeps = SignInDeps & {
  egress: Egress;
  /** The cookie of a browser while its user signs in at a provider. */
  flow: Cookie;
  discovery: Discovery;
};

/** Metadata of issuers, cached for an hour, and how long they may take to answer. */
export type Discovery = {
  readonly metadata: Map<string, { until: number; value: ServerMetadata }>;
  readonly keys: Map<string, unknown>;
  readonly timeoutMs: number;
};

const TIMEOUT_MS = 8_000;

export function createDiscovery(timeoutMs = TIMEOUT_MS): Discovery {
  return { metadata: new Map(), keys: new Map(), timeoutMs };
}
