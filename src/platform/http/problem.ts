import { CODES, type Problem } from "../../wire/codes.ts";
import type { Refusal } from "../refusal.ts";

/** Converts a refusal to a problem document (RFC 9457) with the headers that its status requires. */
export function problemResponse(refusal: Refusal): Response {
  const { code, detail } = refusal;
  const [status, title] = CODES[code];
  const { retryAfter, scope, ...fields } = refusal.extensions;
  const problem: Problem = { type: "about:blank", title, status, detail, code, ...fields };
  const headers: Record<string, string> = {
    "content-type": "application/problem+json",
    "cache-control": "no-store",
  };
  if (retryAfter !== undefined) {
    headers["retry-after"] = String(Math.max(1, Math.ceil(retryAfter)));
  }
  // RFC 6750, 3: the response to a refused bearer token names the scheme and the required scope.
  if (code === "invalid_token") headers["www-authenticate"] = 'Bearer error="invalid_token"';
  if (scope !== undefined) {
    headers["www-authenticate"] = `Bearer error="${code}", scope="${scope}"`;
  }
  return new Response(JSON.stringify(problem), { status, headers });
}
