import { timingSafeEqual } from "node:crypto";
import type { Metrics } from "../platform/metrics.ts";
import { Refusal } from "../platform/refusal.ts";
import { isLoopback } from "../platform/networks.ts";
import { requestInfo } from "../platform/http/request-info.ts";
import { hashToken } from "../platform/secrets/secrets.ts";
import { route } from "../routing/route.ts";

/**
 * `GET /metrics` in Prometheus' text format, for callers on loopback (including behind trusted proxies)
 * or with METRICS_TOKEN as bearer token.
 */
export const metricsRoutes = (metrics: Metrics, token: string | null) => [
  route("GET /metrics", {
    access: "public",
    summary: "Metrics for Prometheus, on loopback or with `METRICS_TOKEN`",
    responses: { 200: { media: "text/plain", description: "Prometheus' text format" } },
    errors: ["invalid_token", "unauthenticated"],
    async handler({ request }) {
      checkCaller(request, token);
      const headers = { "content-type": metrics.registry.contentType };
      return new Response(await metrics.registry.metrics(), { headers });
    },
  }),
];

function checkCaller(request: Request, token: string | null): void {
  const bearer = /^Bearer (.+)$/.exec(request.headers.get("authorization") ?? "")?.[1];
  if (bearer !== undefined) {
    // `timingSafeEqual` needs values of equal length, which hashes have.
    if (token !== null && timingSafeEqual(hashToken(bearer), hashToken(token))) return;
    throw new Refusal("invalid_token", "Invalid metrics token.");
  }
  const { address, isDirect } = requestInfo(request);
  if (!isDirect || !isLoopback(address)) {
    const detail = "Metrics need a request from this machine, or METRICS_TOKEN as bearer token.";
    throw new Refusal("unauthenticated", detail);
  }
}
