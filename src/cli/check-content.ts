import { readLastBackup } from "../backup/statements.ts";
import { tryFolder } from "../backup/try-folder.ts";
import { baseUrlOf, type Config } from "../config.ts";
import { withDatabase } from "../database/open.ts";
import { createMailer } from "../email/mailer.ts";
import { createEgress } from "../platform/egress/egress.ts";
import { createDiscovery } from "../providers/deps.ts";
import { reportSignIn } from "../providers/report.ts";
import { checkVapid } from "../push/vapid.ts";
import { readSearchStatus } from "../search/status.ts";
import { formatCount } from "./command.ts";
import { readKeyOf } from "./secrets.ts";

/* What doctor checks once the database has a schema of this version. */

/** When the newest backup was taken, and whether the service can write the next one. */
function checkBackups(config: Config): Promise<string> {
  return withDatabase(config, async ({ sql }) => {
    const { backup } = config;
    if (backup) await tryFolder(backup.folder);
    const at = await readLastBackup(sql);
    if (at === null) {
      return backup
        ? `none was taken yet; ${backup.folder} can be written`
        : "none was taken yet: set BACKUP_DIR, or run backup";
    }
    const hours = Math.floor((Date.now() - at.getTime()) / 3_600_000);
    const detail = `the newest is of ${at.toISOString()}, ${formatCount(hours, "hour")} ago`;
    if (backup && hours > 2 * backup.everyHours) {
      throw new Error(`${detail}, but BACKUP_HOURS is ${backup.everyHours}: see the failed jobs.`);
    }
    return detail;
  });
}

/** Connects to the mail server and signs in, without sending. */
function checkMail(config: Config): Promise<string> {
  return withDatabase(config, async ({ db }) => {
    const mailer = createMailer(db, readKeyOf(config));
    const where = await mailer.verify();
    return where === null
      ? "not configured: administrators have to pass on invite links themselves"
      : `signed in to ${where}`;
  });
}

/** Unseals the key that identifies this service to push services. */
function checkPush(config: Config): Promise<string> {
  return withDatabase(config, async ({ db }) => {
    await checkVapid(db, readKeyOf(config));
    return config.baseUrl?.startsWith("https:")
      ? "the key is valid"
      : "the key is valid, but browsers need https for notifications: set BASE_URL";
  });
}

/** Says how far the search index is; while the service is stopped, it only falls behind. */
function checkSearch(config: Config): Promise<string> {
  return withDatabase(config, async ({ sql }) => {
    const { rooms, incomplete_rooms, lag } = await readSearchStatus(sql);
    const behind = lag === 0 ? "" : `; ${formatCount(lag, "event")} to index`;
    return incomplete_rooms === 0
      ? `${formatCount(rooms, "room")} indexed${behind}`
      : `older messages of ${incomplete_rooms} of ${formatCount(rooms, "room")} are being indexed${behind}`;
  });
}

/** Tests the providers, and finds passkeys that another host has left behind. */
function checkSignIn(config: Config): Promise<string> {
  return withDatabase(config, async ({ db }) => {
    const egress = createEgress({ allow: config.egressAllow });
    const deps = { egress, discovery: createDiscovery(), readKey: readKeyOf(config) };
    const baseUrl = baseUrlOf(config);
    const { providers, problems } = await reportSignIn(db, { ...deps, baseUrl });
    if (problems.length > 0) throw new Error(problems.join(" "));
    return providers === 0
      ? "passwords and passkeys"
      : `${formatCount(providers, "provider")} tested`;
  });
}

/** In this order. */
export const CHECKS_OF_CONTENT: [string, (config: Config) => Promise<string>][] = [
  ["backups", checkBackups],
  ["mail", checkMail],
  ["push", checkPush],
  ["search", checkSearch],
  ["sign-in", checkSignIn],
];
