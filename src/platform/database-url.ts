/**
 * URLs of PostgreSQL may name several hosts, of which one is the primary at a time:
 * `postgres://snug@one:5432,two:5432/snug` (libpq, "Connection URIs"). `URL` does not read them.
 */
const HOSTS = /^([a-z]+:\/\/(?:[^@/?]*@)?)([^/?]*)/;

/** Whether a connection string names several hosts, with commas between. */
export function hasManyHosts(url: string): boolean {
  return HOSTS.exec(url)?.[2]?.includes(",") ?? false;
}

/** The URL with the first of its hosts alone. */
export function withFirstHost(url: string): string {
  return url.replace(HOSTS, (_, before: string, hosts: string) => before + hosts.split(",")[0]);
}
