/**
 * Creates the default headers of responses.
 * @param baseUrl the public origin; https adds Strict-Transport-Security
 * @param scriptHash CSP sources of the page's inline scripts
 */
export function createDefaultHeaders(
  baseUrl: string,
  scriptHash: string,
): [name: string, value: string][] {
  const policy = [
    "default-src 'none'",
    `script-src 'self' ${scriptHash}`,
    "style-src 'self'",
    "img-src 'self' data: blob:",
    "font-src 'self'",
    "frame-src 'self'",
    "media-src 'self'",
    "connect-src 'self'",
    "manifest-src 'self'",
    "worker-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join("; ");
  const headers: [string, string][] = [
    ["cache-control", "no-store"],
    ["content-security-policy", policy],
    ["x-content-type-options", "nosniff"],
    ["x-frame-options", "DENY"],
    ["referrer-policy", "no-referrer"],
    ["cross-origin-opener-policy", "same-origin"],
    ["cross-origin-resource-policy", "same-origin"],
    ["permissions-policy", "camera=(), microphone=(), geolocation=(), payment=()"],
  ];
  if (baseUrl.startsWith("https:")) {
    headers.push(["strict-transport-security", "max-age=63072000"]);
  }
  return headers;
}
