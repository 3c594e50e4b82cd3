import { describe, expect, test } from "bun:test";
import { join, resolve } from "node:path";
import { generatePages } from "../docs/generate.ts";
import { readConfig, findWarnings } from "../src/config.ts";
import { ConfigError } from "../src/platform/process/environment.ts";
import { SETTINGS } from "../src/settings.ts";

const KEY = Buffer.alloc(32, 7).toString("base64");

/** The error of a start with these settings. */
function refusal(env: Record<string, string>): string {
  try {
    readConfig(env);
  } catch (error) {
    expect(error).toBeInstanceOf(ConfigError);
    return (error as Error).message;
  }
  throw new Error("The settings were accepted.");
}

describe("settings", () => {
  test("all have a default", () => {
    expect(readConfig({ LOG_FORMAT: "json" })).toEqual({
      port: 3000,
      host: "127.0.0.1",
      baseUrl: null,
      databaseUrl: null,
      databaseListenUrl: null,
      databasePrepare: true,
      databasePool: 20,
      dataDir: resolve("data"),
      s3: null,
      secretKey: null,
      backup: null,
      trustProxy: 0,
      oidc: null,
      egressAllow: [],
      metricsToken: null,
      vapidSubject: null,
      log: { level: "info", format: "json" },
      reloadPages: false,
    });
  });

  test("that are empty or blank count as not set", () => {
    const names = ["PORT", "HOST", "BASE_URL", "DATABASE_URL", "DATA_DIR", "S3_BUCKET"];
    const more = ["SECRET_KEY", "TRUST_PROXY", "EGRESS_ALLOW", "LOG_LEVEL", "LOG_FORMAT"];
    const blank = Object.fromEntries(
      [...names, ...more].map((name, i) => [name, i % 2 ? "" : " "]),
    );
    expect(readConfig(blank)).toEqual(readConfig({}));
  });

  test("are read from the environment", () => {
    const config = readConfig({
      PORT: "8080",
      HOST: "::",
      BASE_URL: "https://Chat.Example.org/",
      DATABASE_URL: "postgres://snug:secret@db.example.org/snug",
      DATABASE_LISTEN_URL: "postgres://snug:secret@direct.example.org/snug",
      DATABASE_PREPARE: "false",
      DATABASE_POOL: "40",
      DATA_DIR: "/var/lib/my snug",
      S3_BUCKET: "uploads",
      S3_ACCESS_KEY_ID: "id",
      S3_SECRET_ACCESS_KEY: "secret",
      S3_REGION: "eu-central-1",
      S3_ENDPOINT: "https://s3.example.org",
      SECRET_KEY: KEY,
      BACKUP_DIR: "/mnt/backups",
      BACKUP_HOURS: "6",
      BACKUP_KEEP: "14",
      BACKUP_RECIPIENTS: "age1one, age1two",
      TRUST_PROXY: "2",
      EGRESS_ALLOW: "ci.internal:8080",
      METRICS_TOKEN: "token",
      VAPID_SUBJECT: "ada@example.org",
      LOG_LEVEL: "debug",
      LOG_FORMAT: "pretty",
    });
    expect(config).toEqual({
      port: 8080,
      host: "::",
      baseUrl: "https://chat.example.org",
      databaseUrl: "postgres://snug:secret@db.example.org/snug",
      databaseListenUrl: "postgres://snug:secret@direct.example.org/snug",
      databasePrepare: false,
      databasePool: 40,
      dataDir: "/var/lib/my snug",
      s3: {
        bucket: "uploads",
        accessKeyId: "id",
        secretAccessKey: "secret",
        region: "eu-central-1",
        endpoint: "https://s3.example.org",
      },
      secretKey: [Buffer.alloc(32, 7)],
      backup: {
        folder: "/mnt/backups",
        everyHours: 6,
        keep: 14,
        recipients: ["age1one", "age1two"],
      },
      trustProxy: 2,
      oidc: null,
      egressAllow: [{ kind: "host", value: "ci.internal", prefix: null, port: 8080 }],
      metricsToken: "token",
      vapidSubject: "mailto:ada@example.org",
      log: { level: "debug", format: "pretty" },
      reloadPages: false,
    });
  });

  test.each(["mailto:", "ada", "http://example.org", "mailto:a@b c", "https:"])(
    "refuse the contact %p",
    (subject) => {
      expect(() => readConfig({ VAPID_SUBJECT: subject })).toThrow("VAPID_SUBJECT must be");
    },
  );

  test("cannot be changed once they are read", () => {
    expect(Object.isFrozen(readConfig({}))).toBe(true);
  });
});

describe("the documentation", () => {
  const documented = new Set(SETTINGS.flatMap(({ settings }) => settings.map(({ name }) => name)));
  /** Set by `bun dev` for the service that it starts. */
  const INTERNAL = new Set(["RELOAD_PAGES"]);

  /** The variables that `readConfig` reads, a bucket's among them. */
  function readNames(): Set<string> {
    const names = new Set<string>();
    const values: Record<string, string> = {
      S3_BUCKET: "b",
      S3_ACCESS_KEY_ID: "i",
      S3_SECRET_ACCESS_KEY: "s",
    };
    readConfig(
      new Proxy(values, {
        get(target, name) {
          names.add(String(name));
          return target[String(name)];
        },
      }),
    );
    return names;
  }

  test("documents every setting, and none that is not read", () => {
    const names = readNames().difference(INTERNAL);
    expect([...names.difference(documented)]).toEqual([]);
    expect([...documented.difference(names)]).toEqual([]);
  });

  test("has the pages that are made of the sources as they are", async () => {
    const pages = Object.entries(await generatePages());
    for (const [name, text] of pages) {
      expect(await Bun.file(join(import.meta.dir, "../docs", name)).text()).toBe(text);
    }
  });
});

describe("a bad value is refused with one sentence that names the variable", () => {
  test.each([
    ["PORT", "65536"],
    ["PORT", "-1"],
    ["PORT", "80.5"],
    ["PORT", "1e3"],
    ["PORT", "http"],
    ["TRUST_PROXY", "yes"],
    ["TRUST_PROXY", "-1"],
    ["BASE_URL", "chat.example.org"],
    ["BASE_URL", "ftp://chat.example.org"],
    ["BASE_URL", "https://example.org/chat"],
    ["BASE_URL", "https://example.org/?a=b"],
    ["BASE_URL", "https://user@example.org"],
    ["BASE_URL", "https://:word@example.org"],
    ["DATABASE_URL", "mysql://localhost/snug"],
    ["DATABASE_URL", "snug"],
    ["DATABASE_URL", "postgres://snug@one:5432,two:99999/snug"],
    ["SECRET_KEY", Buffer.alloc(31).toString("base64")],
    ["SECRET_KEY", "not base64 at all"],
    ["SECRET_KEY", KEY.replace(/=$/, "")],
    ["EGRESS_ALLOW", "http://ci.internal"],
    ["EGRESS_ALLOW", "10.0.0.0/33"],
    ["LOG_LEVEL", "loud"],
    ["LOG_FORMAT", "xml"],
    ["S3_ENDPOINT", "s3.example.org"],
  ])("%s=%s", (name, value) => {
    const message = refusal({ [name]: value });
    expect(message).toStartWith(`${name} `);
    expect(message).toMatch(/^[^\n]+\.$/);
    expect(message).not.toMatch(/[.!?] [A-Z]/);
  });

  test.each(["S3_ACCESS_KEY_ID", "S3_SECRET_ACCESS_KEY"])("a bucket without %s", (name) => {
    const env = { S3_BUCKET: "b", S3_ACCESS_KEY_ID: "i", S3_SECRET_ACCESS_KEY: "s", [name]: "" };
    expect(refusal(env)).toStartWith(`${name} `);
  });
});

describe("a secret stays out of the refusal", () => {
  test.each([
    ["DATABASE_URL", "mysql://snug:hunter2@localhost/snug"],
    ["SECRET_KEY", "hunter2"],
    ["BASE_URL", "https://snug:hunter2@example.org"],
    ["S3_ENDPOINT", "ftp://snug:hunter2@s3.example.org"],
  ])("of %s", (name, value) => {
    expect(refusal({ [name]: value })).not.toContain("hunter2");
  });

  test("of the bucket's key", () => {
    const env = { S3_BUCKET: "b", S3_SECRET_ACCESS_KEY: "hunter2" };
    expect(refusal(env)).not.toContain("hunter2");
  });
});

test("an https site without a trusted proxy is warned of", () => {
  const warned = (settings: Record<string, string>) =>
    findWarnings(readConfig(settings)).length > 0;
  expect(warned({ BASE_URL: "https://chat.example.org" })).toBe(true);
  expect(warned({ BASE_URL: "https://chat.example.org", TRUST_PROXY: "1" })).toBe(false);
  expect(warned({ BASE_URL: "http://chat.lan" })).toBe(false);
  expect(warned({})).toBe(false);
});
