import { timingSafeEqual } from "node:crypto";
import type { Metrics } from "../platform/metrics.ts";
import { Refusal } from "../platform/refusal.ts";
import { isLoopback } from "../platform/addresses.ts";
import { requestInfo } from "../platform/request-info.ts";
import { hashToken } from "../platform/secrets.ts";
import { route } from "../routing/route.ts";

/**
 * `GET /metrics`, in Prometheus' text format: for callers on this machine, past trusted proxies, or with
 * the bearer token of the settings.
 */
export const metricsRoutes = (metrics: Metrics, token: string | null) => [
  route("GET /metrics", {
    access: "public",
    summary: "Metrics for Prometheus, on loopback or with `METRICS_TOKEN`",
    answers: { 200: { media: "text/plain", description: "Prometheus' text format" } },
    errors: ["invalid_token", "unauthenticated"],
    async run({ request }) {
      checkCaller(request, token);
      const headers = { "content-type": metrics.registry.contentType };
      return new Response(await metrics.registry.metrics(), { headers });
    },
  }),
];

function checkCaller(request: Request, token: string | null): void {
  const given = /^Bearer (.+)$/.exec(request.headers.get("authorization") ?? "")?.[1];
  if (given !== undefined) {
    // Hashes have the same length, and comparing them takes constant time.
    if (token !== null && timingSafeEqual(hashToken(given), hashToken(token))) return;
    throw new Refusal("invalid_token", "This is not the token of METRICS_TOKEN.");
  }
  const { address, isDirect } = requestInfo(request);
  if (!isDirect || !isLoopback(address)) {
    throw new Refusal(
      "unauthenticated",
      "Metrics are for this machine, or for a bearer of METRICS_TOKEN.",
    );
  }
}
