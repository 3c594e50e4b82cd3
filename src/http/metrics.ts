import { timingSafeEqual } from "node:crypto";
import { Elysia } from "elysia";
import { isPublic } from "../accounts/guard.ts";
import type { Metrics } from "../platform/metrics.ts";
import { Refusal } from "../platform/refusal.ts";
import { requestInfo } from "../platform/request-info.ts";
import { hashToken } from "../platform/secrets.ts";

/**
 * `GET /metrics`, in Prometheus' text format: for callers on this machine, or with the bearer token
 * of the settings. The caller's address is seen past the trusted proxies.
 */
export function metricsRoutes(metrics: Metrics, token: string | null) {
  return new Elysia({ name: "metrics" }).get(
    "/metrics",
    async ({ request, set }) => {
      admit(request, token);
      set.headers["content-type"] = metrics.registry.contentType;
      return metrics.registry.metrics();
    },
    isPublic,
  );
}

function admit(request: Request, token: string | null): void {
  const given = /^Bearer (.+)$/.exec(request.headers.get("authorization") ?? "")?.[1];
  if (given !== undefined) {
    // Hashes are of one length, and comparing them takes one time.
    if (token !== null && timingSafeEqual(hashToken(given), hashToken(token))) return;
    throw new Refusal("invalid_token", "This is not the token of METRICS_TOKEN.");
  }
  if (!isLoopback(requestInfo(request).address)) {
    throw new Refusal(
      "unauthenticated",
      "Metrics are for this machine, or for a bearer of METRICS_TOKEN.",
    );
  }
}

function isLoopback(address: string): boolean {
  return address === "::1" || /^(?:::ffff:)?127\./.test(address);
}
