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

/** All variables that `readConfig` reads, by topic. `bun run docs` generates their page. */
export const SETTINGS: { title: string; settings: Setting[] }[] = [
  {
    title: "Address",
    settings: [
      setting("PORT", "the port to listen on"),
      setting("HOST", "the address to listen on; `0.0.0.0` or `::` for all"),
      setting(
        "BASE_URL",
        "the origin that people use, such as `https://chat.example.org`",
        "`http://localhost:$PORT`",
      ),
      setting(
        "TRUST_PROXY",
        "the number of reverse proxies, whose `X-Forwarded-For` is trusted; if it is too low, everyone shares one rate limit, if too high, anyone can forge an address",
      ),
    ],
  },
  {
    title: "Data",
    settings: [
      setting("DATA_DIR", "uploads, the embedded database, the secret key"),
      setting(
        "DATABASE_URL",
        "PostgreSQL 14 or newer: `postgres://user:password@host/database`, or `?host=/run/postgresql` for a socket",
        "an embedded PostgreSQL 18 in `DATA_DIR`",
      ),
      setting(
        "DATABASE_LISTEN_URL",
        "PostgreSQL itself, if `DATABASE_URL` is a pooler such as PgBouncer in transaction mode",
        "no pooler",
      ),
      setting(
        "DATABASE_PREPARE",
        "`false` for a pooler without prepared statements (PgBouncer before 1.21)",
      ),
      setting("DATABASE_POOL", "the maximum number of connections of a process, at least 5"),
      setting("S3_BUCKET", "a bucket for uploads; also set the next two", "uploads in `DATA_DIR`"),
      setting("S3_ACCESS_KEY_ID", "its key", "none"),
      setting("S3_SECRET_ACCESS_KEY", "its secret", "none"),
      setting("S3_REGION", "its region, such as `eu-central-1`", "the endpoint's"),
      setting("S3_ENDPOINT", "the address of a service other than Amazon's", "Amazon S3"),
    ],
  },
  {
    title: "Backups",
    settings: [
      setting("BACKUP_DIR", "a folder for automatic backups", "no backups"),
      setting("BACKUP_HOURS", "hours between backups"),
      setting("BACKUP_KEEP", "how many are kept"),
      setting(
        "BACKUP_RECIPIENTS",
        "[age](https://age-encryption.org) public keys for encryption, separated by commas",
        "not encrypted",
      ),
    ],
  },
  {
    title: "Security",
    settings: [
      setting(
        "SECRET_KEY",
        "32 bytes in base64 (`openssl rand -base64 32`) that encrypt secrets in the database; during a rotation the new key, a comma and the old one",
        "created in `DATA_DIR`",
      ),
      setting(
        "OIDC_ISSUER",
        "an identity provider, for containers; also set the next two. Others are set in the administration ([sign-in](sign-in.md))",
        "none",
      ),
      setting("OIDC_CLIENT_ID", "the client ID at the provider", "none"),
      setting("OIDC_CLIENT_SECRET", "the client secret", "none"),
      setting("OIDC_NAME", "the name on its button"),
      setting(
        "EGRESS_ALLOW",
        "hosts, addresses or CIDRs with an optional `:port`, separated by commas, that previews, webhooks and providers may reach although they are not public",
        "none",
      ),
    ],
  },
  {
    title: "Notifications",
    settings: [
      setting(
        "VAPID_SUBJECT",
        "your contact for push services: `mailto:you@example.org` or an https URL that can be reached from outside",
        "the first administrator's address",
      ),
    ],
  },
  {
    title: "Monitoring",
    settings: [
      setting("LOG_LEVEL", "`debug`, `info`, `warn` or `error`"),
      setting("LOG_FORMAT", "`pretty` or `json`", "`pretty` on a terminal"),
      setting(
        "METRICS_TOKEN",
        "the bearer token for `GET /metrics` from other machines",
        "only this machine",
      ),
    ],
  },
];

function setting(
  name: string,
  meaning: string,
  fallback = `\`${DEFAULTS[name as keyof typeof DEFAULTS]}\``,
): Setting {
  return { name, meaning, fallback };
}

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
