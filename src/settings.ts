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

const inCode = (value: string | number) => `\`${value}\``;

/** All variables that `readConfig` reads, by topic. `bun run docs` generates their page. */
export const SETTINGS: { title: string; settings: Setting[] }[] = [
  {
    title: "Address",
    settings: [
      setting("PORT", "the port to listen on", inCode(DEFAULTS.PORT)),
      setting("HOST", "the address to listen on; `0.0.0.0` or `::` for all", inCode(DEFAULTS.HOST)),
      setting(
        "BASE_URL",
        "the origin that people use, such as `https://chat.example.org`; links and cookies follow it",
        "`http://localhost:$PORT`",
      ),
      setting(
        "TRUST_PROXY",
        "how many reverse proxies are in front, whose `X-Forwarded-For` counts; with fewer, everyone behind them shares one limit, with more, anyone can claim an address",
        inCode(DEFAULTS.TRUST_PROXY),
      ),
    ],
  },
  {
    title: "Data",
    settings: [
      setting(
        "DATA_DIR",
        "uploads, the embedded database, the secret key",
        inCode(DEFAULTS.DATA_DIR),
      ),
      setting(
        "DATABASE_URL",
        "a PostgreSQL 14 or newer: `postgres://user:password@host/database`, or `?host=/run/postgresql` for a socket",
        "an embedded PostgreSQL 18 in `DATA_DIR`",
      ),
      setting(
        "DATABASE_LISTEN_URL",
        "PostgreSQL itself, if `DATABASE_URL` leads to a pooler such as PgBouncer in transaction mode",
        "no pooler",
      ),
      setting(
        "DATABASE_PREPARE",
        "`false` for a pooler that does not know prepared statements (PgBouncer before 1.21)",
        inCode(DEFAULTS.DATABASE_PREPARE),
      ),
      setting(
        "DATABASE_POOL",
        "the most connections to PostgreSQL of one process, at least 5; `doctor` compares it with `max_connections`",
        inCode(DEFAULTS.DATABASE_POOL),
      ),
      setting(
        "S3_BUCKET",
        "a bucket for uploads; then the next three are needed too",
        "uploads in `DATA_DIR`",
      ),
      setting("S3_ACCESS_KEY_ID", "its key", "none"),
      setting("S3_SECRET_ACCESS_KEY", "its secret", "none"),
      setting("S3_REGION", "its region, such as `eu-central-1`", "the endpoint's"),
      setting("S3_ENDPOINT", "the address of a service other than Amazon's", "Amazon S3"),
    ],
  },
  {
    title: "Backups",
    settings: [
      setting(
        "BACKUP_DIR",
        "a folder for backups that the service takes by itself",
        "none are taken",
      ),
      setting("BACKUP_HOURS", "hours from one to the next", inCode(DEFAULTS.BACKUP_HOURS)),
      setting("BACKUP_KEEP", "how many are kept", inCode(DEFAULTS.BACKUP_KEEP)),
      setting(
        "BACKUP_RECIPIENTS",
        "public keys of [age](https://age-encryption.org) that they are encrypted for, with commas in between",
        "not encrypted",
      ),
    ],
  },
  {
    title: "Security",
    settings: [
      setting(
        "SECRET_KEY",
        "32 bytes in base64 (`openssl rand -base64 32`), which seal passwords and secrets in the database; during a rotation the new one, a comma and the old one",
        "made on the first start, in `DATA_DIR`",
      ),
      setting(
        "OIDC_ISSUER",
        "a provider to sign in with, for containers; others are set in the administration ([sign-in.md](sign-in.md)). With it the next two are needed",
        "none",
      ),
      setting("OIDC_CLIENT_ID", "what the provider calls this Snug", "none"),
      setting("OIDC_CLIENT_SECRET", "its secret with the provider", "none"),
      setting("OIDC_NAME", "what its button says", inCode(DEFAULTS.OIDC_NAME)),
      setting(
        "EGRESS_ALLOW",
        "hosts, addresses or CIDRs, with an optional `:port` and commas in between, that previews and webhooks may reach although they are not public",
        "none",
      ),
    ],
  },
  {
    title: "Notifications",
    settings: [
      setting(
        "VAPID_SUBJECT",
        "where operators of push services can reach you: `mailto:you@example.org` or a page with https; Apple refuses an address that is not reached from outside",
        "the first administrator's address",
      ),
    ],
  },
  {
    title: "Watching it",
    settings: [
      setting("LOG_LEVEL", "`debug`, `info`, `warn` or `error`", inCode(DEFAULTS.LOG_LEVEL)),
      setting("LOG_FORMAT", "`pretty` or `json`, one object a line", "`pretty` on a terminal"),
      setting(
        "METRICS_TOKEN",
        "the bearer token for `GET /metrics` from other machines",
        "this machine alone",
      ),
    ],
  },
];

function setting(name: string, meaning: string, fallback: string): Setting {
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

/** The Levenshtein distance. */
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
