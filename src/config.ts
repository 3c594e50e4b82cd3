import { resolve } from "node:path";
import { type EgressRule, parseEgressAllow } from "./platform/egress/rules.ts";
import type { LogSettings } from "./platform/log.ts";
import { isLocalHost } from "./platform/networks.ts";
import {
  ConfigError,
  type Environment,
  readChoice,
  readInteger,
  readOrigin,
  readText,
  readUrl,
} from "./platform/process/environment.ts";
import { parseSecretKeys, type SecretKeys } from "./platform/secrets/secrets.ts";
import type { S3Settings } from "./platform/storage/s3.ts";
import { DEFAULTS, findMisspelt } from "./settings.ts";

/**
 * PostgreSQL URLs may name several hosts, one of which is the primary:
 * `postgres://snug@one:5432,two:5432/snug` (libpq, "Connection URIs"). `URL` cannot parse them.
 */
const HOSTS = /^([a-z]+:\/\/(?:[^@/?]*@)?)([^/?]*)/;

export type Host = { host: string; port: number };

/** A URL for each host. */
export function splitHosts(url: string): string[] {
  const [, before = "", hosts = ""] = HOSTS.exec(url) ?? [];
  return hosts.split(",").map((host) => url.replace(HOSTS, () => before + host));
}

export function listHosts(url: string): Host[] {
  return splitHosts(url).map((each) => {
    const { hostname, port } = new URL(each);
    return { host: hostname.replace(/^\[|\]$/g, ""), port: Number(port || 5432) };
  });
}

export type BackupSettings = {
  folder: string;
  everyHours: number;
  keep: number;
  /** age recipients; backups are not encrypted if empty. */
  recipients: readonly string[];
};

export type Config = ReturnType<typeof readConfig>;

type OidcSettings = {
  issuer: string;
  clientId: string;
  clientSecret: string | null;
  name: string;
};

export function baseUrlOf({ baseUrl, port }: Pick<Config, "baseUrl" | "port">): string {
  return baseUrl ?? `http://localhost:${port}`;
}

/** Warnings about settings that are probably mistakes but do not prevent the start, one sentence each. */
export function findWarnings(config: Pick<Config, "baseUrl" | "trustProxy">): string[] {
  if (!config.baseUrl?.startsWith("https:") || config.trustProxy > 0) return [];
  return [
    "BASE_URL is https, but TRUST_PROXY is 0: everyone behind the proxy shares its address and one login limit. Set TRUST_PROXY to the number of proxies, usually 1.",
  ];
}

/** Warnings about variables that are probably misspelt, one sentence each. */
export function findMisspeltSettings(env: Environment = process.env): string[] {
  return findMisspelt(env);
}

/** @throws ConfigError for the first invalid value */
export function readConfig(env: Environment = process.env) {
  const log: LogSettings = {
    level: readChoice(env, "LOG_LEVEL", ["debug", "info", "warn", "error"], DEFAULTS.LOG_LEVEL),
    format: readChoice(
      env,
      "LOG_FORMAT",
      ["pretty", "json"],
      process.stderr.isTTY ? "pretty" : "json",
    ),
  };
  return Object.freeze({
    port: readInteger(env, "PORT", DEFAULTS.PORT, 0, 65_535),
    host: readText(env, "HOST") ?? DEFAULTS.HOST,
    /** The public origin without a trailing slash; null means `http://localhost:<port>`. */
    baseUrl: readOrigin(env, "BASE_URL"),
    databaseUrl: databaseUrl(env, "DATABASE_URL"),
    /** The URL for `LISTEN` if `databaseUrl` is a pooler; null otherwise. */
    databaseListenUrl: listenUrl(env),
    /** Whether to use prepared statements through a pooler. */
    databasePrepare:
      readChoice(env, "DATABASE_PREPARE", ["true", "false"], DEFAULTS.DATABASE_PREPARE) === "true",
    /** Maximum number of connections to PostgreSQL per process. */
    databasePool: readInteger(env, "DATABASE_POOL", DEFAULTS.DATABASE_POOL, 5, 500),
    dataDir: resolve(readText(env, "DATA_DIR") ?? DEFAULTS.DATA_DIR),
    s3: s3Settings(env),
    secretKey: secretKey(env),
    /** Null if no scheduled backups are configured. */
    backup: backupSettings(env),
    trustProxy: readInteger(env, "TRUST_PROXY", DEFAULTS.TRUST_PROXY, 0, 32),
    /** An identity provider that administrators can see but not change. */
    oidc: oidcSettings(env),
    egressAllow: egressAllow(env),
    metricsToken: readText(env, "METRICS_TOKEN"),
    /** The contact for operators of push services; null uses an administrator's address. */
    vapidSubject: vapidSubject(env),
    log,
    /** Whether open pages reload when the client changes; set by `bun dev`. */
    reloadPages: readText(env, "RELOAD_PAGES") === "true",
  });
}

/** An address without a scheme becomes a mailto URL. */
function vapidSubject(env: Environment): string | null {
  const value = readText(env, "VAPID_SUBJECT");
  if (value === null) return null;
  const subject = /^[^\s:@]+@[^\s@]+$/.test(value) ? `mailto:${value}` : value;
  if (
    /^mailto:[^\s:@]+@[^\s@]+$/.test(subject) ||
    /^https:$/.test(URL.parse(subject)?.protocol ?? "")
  ) {
    return subject;
  }
  throw new ConfigError(
    "VAPID_SUBJECT must be a mailto: address, such as mailto:you@example.org, or an https URL.",
  );
}

/** Allows several hosts, of which the primary is used. */
function databaseUrl(env: Environment, name: string): string | null {
  const value = readText(env, name);
  if (value === null) return null;
  for (const url of splitHosts(value)) readUrl({ [name]: url }, name, ["postgres:", "postgresql:"]);
  return value;
}

function listenUrl(env: Environment): string | null {
  const value = databaseUrl(env, "DATABASE_LISTEN_URL");
  if (value !== null && readText(env, "DATABASE_URL") === null) {
    throw new ConfigError("DATABASE_LISTEN_URL goes with DATABASE_URL: set both.");
  }
  return value;
}

function secretKey(env: Environment): SecretKeys | null {
  const value = readText(env, "SECRET_KEY");
  if (value === null) return null;
  const keys = parseSecretKeys(value.split(","));
  if (keys) return keys;
  throw new ConfigError(
    "SECRET_KEY must be 32 bytes in base64 (openssl rand -base64 32); while it is being replaced, the new one, a comma and the old one.",
  );
}

function egressAllow(env: Environment): readonly EgressRule[] {
  try {
    return parseEgressAllow(readText(env, "EGRESS_ALLOW") ?? "");
  } catch (error) {
    throw new ConfigError(`EGRESS_ALLOW ${(error as Error).message}`);
  }
}

function backupSettings(env: Environment): BackupSettings | null {
  const folder = readText(env, "BACKUP_DIR");
  const settings = {
    everyHours: readInteger(env, "BACKUP_HOURS", DEFAULTS.BACKUP_HOURS, 1, 24 * 30),
    keep: readInteger(env, "BACKUP_KEEP", DEFAULTS.BACKUP_KEEP, 1, 1_000),
    recipients: recipients(env),
  };
  return folder === null ? null : { folder: resolve(folder), ...settings };
}

/** Public keys of age (https://age-encryption.org) with which backups are encrypted. */
function recipients(env: Environment): string[] {
  const words = (readText(env, "BACKUP_RECIPIENTS") ?? "").split(",").map((word) => word.trim());
  const keys = words.filter((word) => word !== "");
  if (keys.every((key) => key.startsWith("age1"))) return keys;
  throw new ConfigError(
    "BACKUP_RECIPIENTS must be age public keys, which begin with age1, separated by commas.",
  );
}

function oidcSettings(env: Environment): OidcSettings | null {
  const issuer = readUrl(env, "OIDC_ISSUER", ["http:", "https:"]);
  const clientId = readText(env, "OIDC_CLIENT_ID");
  const clientSecret = readText(env, "OIDC_CLIENT_SECRET");
  const name = readText(env, "OIDC_NAME") ?? DEFAULTS.OIDC_NAME;
  if (issuer === null) return null;
  const { protocol, hostname } = new URL(issuer);
  if (protocol === "http:" && !isLocalHost(hostname)) {
    throw new ConfigError("OIDC_ISSUER must be https, or on this machine.");
  }
  if (clientId === null) throw new ConfigError("OIDC_CLIENT_ID must be set when OIDC_ISSUER is.");
  return { issuer, clientId, clientSecret, name };
}

function s3Settings(env: Environment): S3Settings | null {
  const bucket = readText(env, "S3_BUCKET");
  const requireSetting = (name: string) => {
    const value = readText(env, name);
    if (value === null) throw new ConfigError(`${name} must be set when S3_BUCKET is.`);
    return value;
  };
  const endpoint = readUrl(env, "S3_ENDPOINT", ["http:", "https:"]);
  if (bucket === null) return null;
  return {
    bucket,
    accessKeyId: requireSetting("S3_ACCESS_KEY_ID"),
    secretAccessKey: requireSetting("S3_SECRET_ACCESS_KEY"),
    region: readText(env, "S3_REGION"),
    endpoint,
  };
}
