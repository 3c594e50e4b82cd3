import { CODES, type Problem } from "../../wire/codes.ts";
import type { Refusal } from "../refusal.ts";

/** Converts a refusal to a problem document (RFC 9457) with the headers that its status requires. */
export function problemResponse(refusal: Refusal): Response {
  const { code, detail } = refusal;
  const [status, title] = CODES[code];
  const problem: Problem = { type: "about:blank", title, status, detail, code };
  if (refusal.more.errors) problem.errors = refusal.more.errors;
  if (refusal.more.ways) problem.ways = refusal.more.ways;
  if (refusal.more.draft) problem.draft = refusal.more.draft;
  if (refusal.more.current) problem.current = refusal.more.current;
  const headers: Record<string, string> = {
    "content-type": "application/problem+json",
    "cache-control": "no-store",
  };
  if (refusal.more.retryAfter !== undefined) {
    headers["retry-after"] = String(Math.max(1, Math.ceil(refusal.more.retryAfter)));
  }
  // RFC 6750, 3: the response to a refused bearer token names the scheme and the required scope.
  if (code === "invalid_token") headers["www-authenticate"] = 'Bearer error="invalid_token"';
  if (refusal.more.scope !== undefined) {
    headers["www-authenticate"] = `Bearer error="${code}", scope="${refusal.more.scope}"`;
  }
  return new Response(JSON.stringify(problem), { status, headers });
}
