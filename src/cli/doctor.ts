import { access, constants, stat, statfs } from "node:fs/promises";
import { dirname } from "node:path";
import { baseUrlOf, type Config } from "../config.ts";
import { describePending, type Schema } from "../database/migrate.ts";
import { withDatabase } from "../database/open.ts";
import { explainError } from "../explain.ts";
import { readSecretKey } from "../platform/secrets.ts";
import { requireRightKey } from "../admin/sealed-columns.ts";
import { CHECKS_OF_CONTENT } from "./check-content.ts";
import { checkDatabase } from "./check-database.ts";
import { type Command, formatTable } from "./command.ts";
import { reportLoad } from "./load.ts";

type Check = { check: string; ok: boolean; detail: string };

const LOW_DISK_BYTES = 1024 ** 3;

export const doctor: Command = {
  name: "doctor",
  summary: "check settings, disk, database, mail, push and sign-in, and report problems",
  effect: "operate",
  options: {
    load: { help: "instead, show how busy the service is, and how close to its limits" },
  },
  async run({ config, options, misspelt }) {
    if (options.load) return reportLoad(config);
    let schema: Schema | null = null;
    const database = await runCheck("database", () =>
      checkDatabase(config, (schemaState) => {
        schema = schemaState;
      }),
    );
    const pending = describeMissing(schema);
    const isCurrent = schema !== null && pending === null;
    const checks = [
      await runCheck("settings", async () => checkSettings(config, misspelt)),
      await runCheck("disk", () => checkDisk(config)),
      await runCheck("secret key", () => checkSecretKey(config, isCurrent)),
      database,
    ];
    if (pending !== null) checks.push({ check: "schema", ok: true, detail: pending });
    // What the further checks read is in the database.
    for (const [name, check] of isCurrent ? CHECKS_OF_CONTENT : []) {
      checks.push(await runCheck(name, () => check(config)));
    }
    const failed = checks.some((check) => !check.ok);
    const lines = checks.map(({ check, ok, detail }) => [ok ? "ok" : "WRONG", check, detail]);
    return { json: checks, text: formatTable(lines), failed };
  },
};

/** @param run returns what it found, or throws what is wrong */
async function runCheck(check: string, run: () => Promise<string>): Promise<Check> {
  try {
    return { check, ok: true, detail: await run() };
  } catch (error) {
    return { check, ok: false, detail: explainError(error) };
  }
}

function checkSettings(config: Config, misspelt: string[]): string {
  const https = config.baseUrl?.startsWith("https:");
  const note = https ? "" : "; cookies are not marked Secure, since BASE_URL is not https";
  if (misspelt.length > 0) throw new Error(misspelt.join(" "));
  return `BASE_URL ${baseUrlOf(config)}${note}`;
}

/** Creates nothing: in a wrong folder, nothing is left behind. */
async function checkDisk({ dataDir }: Config): Promise<string> {
  const folder = await findExisting(dataDir);
  if (!(await stat(folder)).isDirectory())
    throw new Error(`${folder} is not a folder: set DATA_DIR.`);
  await access(folder, constants.W_OK).catch(() => {
    throw new Error(`${folder} cannot be written: set DATA_DIR to a folder of yours.`);
  });
  const { bavail, bsize } = await statfs(folder);
  const free = bavail * bsize;
  const gigabytes = `${(free / 1024 ** 3).toFixed(1)} GiB free in ${dataDir}`;
  if (free < LOW_DISK_BYTES) throw new Error(`Only ${gigabytes}. Free some space.`);
  return gigabytes;
}

/** The folder, or the nearest one above it that exists. */
async function findExisting(folder: string): Promise<string> {
  const stats = await stat(folder).catch(() => null);
  return stats || folder === dirname(folder) ? folder : findExisting(dirname(folder));
}

/** Compares the key with what the database holds, if that can be read. Creates none. */
async function checkSecretKey(config: Config, isReadable: boolean): Promise<string> {
  const { dataDir, secretKey } = config;
  const keys = await readSecretKey(dataDir, secretKey);
  if (isReadable) await withDatabase(config, ({ db }) => requireRightKey(db, keys ?? []));
  if (keys === null) return `none yet: the first start creates one in ${dataDir}`;
  return secretKey ? "from SECRET_KEY" : "in the data folder; keep a copy with your backups";
}

/** What the schema lacks for the other checks; null for nothing, or where it could not be read. */
function describeMissing(schema: Schema | null): string | null {
  if (schema === null || (schema.isThere && schema.pending === 0)) return null;
  return `${describePending(schema.pending)} The other checks need them.`;
}
