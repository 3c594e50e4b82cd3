import type { IncomingMessage } from "node:http";

/** Per host; sites that redirect until a cookie returns set one or two. */
const MAX_COOKIES = 20;
const MAX_COOKIE_LENGTH = 4_096;

type Cookie = { value: string; path: string; isSecure: boolean };

/**
 * The cookies of one chain of redirects (RFC 6265), which end with it. A cookie returns to the host
 * that set it alone, whatever `Domain` says; `www.` before it is the same site.
 */
export class ChainCookies {
  readonly #sites = new Map<string, Map<string, Cookie>>();

  /** Remembers what a response sets. */
  store(url: URL, response: IncomingMessage): void {
    const site = siteOf(url);
    const cookies = this.#sites.get(site) ?? new Map<string, Cookie>();
    this.#sites.set(site, cookies);
    for (const line of response.headers["set-cookie"] ?? []) {
      const [pair = "", ...attributes] = line.split(";").map((part) => part.trim());
      const split = pair.indexOf("=");
      const name = pair.slice(0, split).trim();
      if (split < 1 || line.length > MAX_COOKIE_LENGTH) continue;
      const options = readAttributes(attributes);
      if (options.isExpired) cookies.delete(name);
      else if (cookies.has(name) || cookies.size < MAX_COOKIES) {
        const path = options.path ?? url.pathname.slice(0, url.pathname.lastIndexOf("/") || 1);
        const value = pair.slice(split + 1).trim();
        cookies.set(name, { value, path, isSecure: options.isSecure });
      }
    }
  }

  /** The `cookie` header of a request; null for none. */
  headerFor(url: URL): string | null {
    const pairs = [...(this.#sites.get(siteOf(url)) ?? [])]
      .filter(([, { isSecure }]) => !isSecure || url.protocol === "https:")
      .filter(([, { path }]) => isBelow(url.pathname, path))
      .map(([name, { value }]) => `${name}=${value}`);
    return pairs.length > 0 ? pairs.join("; ") : null;
  }
}

function siteOf(url: URL): string {
  return url.hostname.replace(/^www\./, "");
}

function readAttributes(attributes: string[]) {
  const options = { path: null as string | null, isSecure: false, isExpired: false };
  for (const attribute of attributes) {
    const [name = "", value = ""] = attribute.split(/=(.*)/s);
    const key = name.trim().toLowerCase();
    if (key === "secure") options.isSecure = true;
    if (key === "path" && value.startsWith("/")) options.path = value;
    if (key === "max-age") options.isExpired = Number(value) <= 0;
    if (key === "expires") options.isExpired ||= Date.parse(value) <= Date.now();
  }
  return options;
}

function isBelow(pathname: string, path: string): boolean {
  return pathname === path || pathname.startsWith(path.endsWith("/") ? path : `${path}/`);
}
