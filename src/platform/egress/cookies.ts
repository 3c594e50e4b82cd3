import type { IncomingMessage } from "node:http";

/** Maximum number per host. Sites that redirect until a cookie is sent back set one or two. */
const MAX_COOKIES = 20;
const MAX_COOKIE_LENGTH = 4_096;

type Cookie = { value: string; path: string; isSecure: boolean };

/**
 * The cookies of one chain of redirects (RFC 6265), which are discarded with it. A cookie is sent to
 * the host that set it, and with `Domain` to all hosts of that site. A host with and without `www.` is
 * the same site.
 */
export class ChainCookies {
  readonly #sites = new Map<string, Map<string, Cookie>>();

  store(url: URL, response: IncomingMessage): void {
    for (const line of response.headers["set-cookie"] ?? []) {
      const [pair = "", ...attributes] = line.split(";").map((part) => part.trim());
      const split = pair.indexOf("=");
      const name = pair.slice(0, split).trim();
      if (split < 1 || line.length > MAX_COOKIE_LENGTH) continue;
      const options = readAttributes(attributes);
      const cookies = this.#cookiesOf(findDomain(url, options.domain) ?? siteOf(url));
      if (options.isExpired) cookies.delete(name);
      else if (cookies.has(name) || cookies.size < MAX_COOKIES) {
        const path = options.path ?? url.pathname.slice(0, url.pathname.lastIndexOf("/") || 1);
        const value = pair.slice(split + 1).trim();
        cookies.set(name, { value, path, isSecure: options.isSecure });
      }
    }
  }

  #cookiesOf(site: string): Map<string, Cookie> {
    const cookies = this.#sites.get(site) ?? new Map<string, Cookie>();
    this.#sites.set(site, cookies);
    return cookies;
  }

  /** The `cookie` header of a request; null if there are no cookies. */
  headerFor(url: URL): string | null {
    const site = siteOf(url);
    const parents = site.split(".").map((_, i, labels) => `.${labels.slice(i).join(".")}`);
    const pairs = [site, ...parents]
      .flatMap((name) => [...(this.#sites.get(name) ?? [])])
      .filter(([, { isSecure }]) => !isSecure || url.protocol === "https:")
      .filter(([, { path }]) => isBelow(url.pathname, path))
      .map(([name, { value }]) => `${name}=${value}`);
    return pairs.length > 0 ? pairs.join("; ") : null;
  }
}

/**
 * The site for a cookie's `Domain`, with a leading dot; null if the cookie is only for the host. Public
 * suffixes are recognized by their form (`co.uk`).
 */
function findDomain(url: URL, domain: string | null): string | null {
  if (domain === null) return null;
  const name = domain.trim().toLowerCase().replace(/^\./, "");
  const isParent = url.hostname === name || url.hostname.endsWith(`.${name}`);
  const isRegistry = !name.includes(".") || REGISTRY.test(name);
  return isParent && !isRegistry && !/^[\d.]+$/.test(name) ? `.${name}` : null;
}

const REGISTRY = /^(?:ac|co|com|edu|go|gob|gov|mil|ne|net|nom|or|org)\.[a-z]{2}$/;

function siteOf(url: URL): string {
  return url.hostname.replace(/^www\./, "");
}

function readAttributes(attributes: string[]) {
  const options = {
    path: null as string | null,
    domain: null as string | null,
    isSecure: false,
    isExpired: false,
  };
  let hasAge = false;
  for (const attribute of attributes) {
    const [name = "", value = ""] = attribute.split(/=(.*)/s);
    const key = name.trim().toLowerCase();
    if (key === "secure") options.isSecure = true;
    if (key === "domain") options.domain = value;
    if (key === "path" && value.startsWith("/")) options.path = value;
    // Max-Age takes precedence over Expires (RFC 6265, 5.3).
    if (key === "max-age" && /^-?\d+$/.test(value.trim())) {
      options.isExpired = Number(value) <= 0;
      hasAge = true;
    }
    if (key === "expires" && !hasAge) options.isExpired = Date.parse(value) <= Date.now();
  }
  return options;
}

function isBelow(pathname: string, path: string): boolean {
  return pathname === path || pathname.startsWith(path.endsWith("/") ? path : `${path}/`);
}
