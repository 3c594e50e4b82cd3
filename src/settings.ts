import type { Environment } from "./platform/process/environment.ts";

/** A variable as documented in docs/configure.md. */
type Setting = { name: string; meaning: string; fallback: string };

/** The defaults of `readConfig`, also shown in docs/configure.md. */
export const DEFAULTS = {
  PORT: 3000,
  HOST: "127.0.0.1",
  TRUST_PROXY: 0,
  DATA_DIR: "./data",
  DATABASE_PREPARE: "true",
  DATABASE_POOL: 20,
  BACKUP_HOURS: 24,
  BACKUP_KEEP: 7,
  OIDC_NAME: "Single sign-on",
  LOG_LEVEL: "info",
} as const;

/** What a variable without a value in `DEFAULTS` means if it is not set. */
const FALLBACKS: Record<string, string> = {
  BASE_URL: "`http://localhost:$PORT`",
  DATABASE_URL: "an embedded PostgreSQL 18 in `DATA_DIR`",
  DATABASE_LISTEN_URL: "no pooler",
  S3_BUCKET: "uploads in `DATA_DIR`",
  S3_REGION: "the endpoint's",
  S3_ENDPOINT: "Amazon S3",
  BACKUP_DIR: "no backups",
  BACKUP_RECIPIENTS: "not encrypted",
  SECRET_KEY: "created in `DATA_DIR`",
  VAPID_SUBJECT: "the first administrator's address",
  LOG_FORMAT: "`pretty` on a terminal",
  METRICS_TOKEN: "only this machine",
};

/** The meaning of each variable that `readConfig` reads, by topic. */
const MEANINGS: Record<string, Record<string, string>> = {
  Address: {
    PORT: "the port to listen on",
    HOST: "the address to listen on; `0.0.0.0` or `::` for all",
    BASE_URL: "the origin that people use, such as `https://chat.example.org`",
    TRUST_PROXY:
      "the number of reverse proxies, whose `X-Forwarded-For` is trusted; if it is too low, everyone shares one rate limit, if too high, anyone can forge an address",
  },
  Data: {
    DATA_DIR: "uploads, the embedded database, the secret key",
    DATABASE_URL:
      "PostgreSQL 14 or newer: `postgres://user:password@host/database`, or `?host=/run/postgresql` for a socket",
    DATABASE_LISTEN_URL:
      "PostgreSQL itself, if `DATABASE_URL` is a pooler such as PgBouncer in transaction mode",
    DATABASE_PREPARE: "`false` for a pooler without prepared statements (PgBouncer before 1.21)",
    DATABASE_POOL: "the maximum number of connections of a process, at least 5",
    S3_BUCKET: "a bucket for uploads; also set the next two",
    S3_ACCESS_KEY_ID: "its key",
    S3_SECRET_ACCESS_KEY: "its secret",
    S3_REGION: "its region, such as `eu-central-1`",
    S3_ENDPOINT: "the address of a service other than Amazon's",
  },
  Backups: {
    BACKUP_DIR: "a folder for automatic backups",
    BACKUP_HOURS: "hours between backups",
    BACKUP_KEEP: "how many are kept",
    BACKUP_RECIPIENTS:
      "[age](https://age-encryption.org) public keys for encryption, separated by commas",
  },
  Security: {
    SECRET_KEY:
      "32 bytes in base64 (`openssl rand -base64 32`) that encrypt secrets in the database; during a rotation the new key, a comma and the old one",
    OIDC_ISSUER:
      "an identity provider, for containers; also set the next two. Others are set in the administration ([sign-in](sign-in.md))",
    OIDC_CLIENT_ID: "the client ID at the provider",
    OIDC_CLIENT_SECRET: "the client secret",
    OIDC_NAME: "the name on its button",
    EGRESS_ALLOW:
      "hosts, addresses or CIDRs with an optional `:port`, separated by commas, that previews, webhooks and providers may reach although they are not public",
  },
  Notifications: {
    VAPID_SUBJECT:
      "your contact for push services: `mailto:you@example.org` or an https URL that can be reached from outside",
  },
  Monitoring: {
    LOG_LEVEL: "`debug`, `info`, `warn` or `error`",
    LOG_FORMAT: "`pretty` or `json`",
    METRICS_TOKEN: "the bearer token for `GET /metrics` from other machines",
  },
};

/** `bun run docs` generates the page of these. */
export const SETTINGS: { title: string; settings: Setting[] }[] = Object.entries(MEANINGS).map(
  ([title, meanings]) => ({
    title,
    settings: Object.entries(meanings).map(([name, meaning]) => {
      const value = DEFAULTS[name as keyof typeof DEFAULTS];
      return {
        name,
        meaning,
        fallback: value === undefined ? (FALLBACKS[name] ?? "none") : `\`${value}\``,
      };
    }),
  }),
);

/** Shorter names are too similar to others: `PORT` resembles `PATH`. */
const MIN_COMPARED = 7;
const MAX_EDITS = 2;

/** Returns a sentence for each variable whose name is almost that of a setting. */
export function findMisspelt(env: Environment): string[] {
  const names = SETTINGS.flatMap(({ settings }) => settings.map(({ name }) => name));
  return Object.keys(env).flatMap((name) => {
    if (name.length < MIN_COMPARED || names.includes(name)) return [];
    const closest = names.find(
      (candidate) => candidate.length >= MIN_COMPARED && countEdits(candidate, name) <= MAX_EDITS,
    );
    return closest ? [`${name} is no setting of Snug: write ${closest}.`] : [];
  });
}

function countEdits(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const replaceCost = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(replaceCost, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}
