import { stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { parseIdentities } from "../backup/age.ts";
import { BackupError } from "../backup/format.ts";
import { keysToSave, restoreKeys } from "../backup/keys.ts";
import { recordBackup } from "../backup/scheduled.ts";
import { moveDatabase } from "../backup/move.ts";
import { type ReadOptions, verifyBackup } from "../backup/read.ts";
import { restoreBackup } from "../backup/restore.ts";
import { checkPlace, takeBackup } from "../backup/take.ts";
import { useDatabase } from "../database/connect.ts";
import { withServer } from "../database/open.ts";
import { directOf, type Target } from "../database/target.ts";
import { describeCause, getLogger } from "../platform/log.ts";
import { openStore } from "../platform/storage/open.ts";
import { formatSize } from "../wire/files.ts";
import { type Call, type Command, formatCount, textOf, UsageError, valuesOf } from "./command.ts";

const UPLOADS = {
  value: "<folder>",
  help: "the uploads are in this folder, each once for all backups, and not in the file",
};
const IDENTITY = { value: "<file>", help: "the key of age that an encrypted backup is for" };

/** Taking a backup also succeeds for a read-only database user. */
async function recordManualBackup(target: Target, createdAt: string): Promise<void> {
  try {
    await useDatabase(directOf(target), ({ db }) => recordBackup(db, createdAt));
  } catch (error) {
    getLogger("backup").warn("That a backup was taken could not be noted.", {
      error: describeCause(error),
    });
  }
}

async function readOptions(call: Call): Promise<ReadOptions> {
  const identity = textOf(call, "identity");
  const beside = join(dirname(call.arg), "uploads");
  const isThere = await stat(beside).then(
    (stats) => stats.isDirectory(),
    () => false,
  );
  return {
    identities: identity === undefined ? [] : parseIdentities(await readText(identity)),
    // The folder in which the service stores its own backups.
    uploadsFolder: textOf(call, "uploads") ?? (isThere ? beside : null),
  };
}

async function readText(path: string): Promise<string> {
  const file = Bun.file(path);
  if (!(await file.exists())) throw new BackupError(`There is no file ${path}.`);
  return file.text();
}

function describeMissing(missingKeys: string[]): string[] {
  if (missingKeys.length === 0) return [];
  const [first] = missingKeys;
  return [
    `${missingKeys.length} uploads were missing from the storage or damaged; the first is ${first}. Look for them in an older backup.`,
  ];
}

/** Warns about credentials revoked after the backup, which work again and which Snug cannot identify. */
function describeRevived({
  created_at,
  ended,
  revived,
}: Awaited<ReturnType<typeof restoreBackup>>): string[] {
  const sessions = ended
    ? `Ended ${formatCount(ended.sessions, "session")} and ${formatCount(ended.password_resets, "link")} to choose a password.`
    : "Everyone who was signed in when the backup was taken is signed in again.";
  const { active_people, administrators, bot_tokens, invites, invite_links } = revived;
  return [
    sessions,
    `What was ended or changed after ${created_at} is as it was before. Look at:`,
    `- ${formatCount(active_people, "person", "people")} who can sign in, also with a password, factor or recovery code that was replaced since (user list)`,
    `- ${formatCount(administrators, "administrator")} among them (user list) and ${formatCount(revived.identity_providers, "identity provider")} (oidc list)`,
    `- ${formatCount(bot_tokens, "token")} of bots (bot tokens, bot revoke)`,
    `- ${formatCount(invites, "invite")} by email (invite list, invite revoke) and ${formatCount(invite_links, "invite link")} (Administration)`,
    `- ${formatCount(revived.incoming_webhooks, "incoming webhook")} and ${formatCount(revived.outgoing_webhooks, "outgoing webhook")} (in each room)`,
    `- ${formatCount(revived.scheduled_messages, "scheduled message")} that will be sent (their authors see them)`,
  ];
}

function describeKeys(savedKeys: string[] | null, isConfigured: boolean): string[] {
  if (savedKeys && isConfigured) {
    return [
      "The backup has a secret key of its own: set SECRET_KEY to yours, a comma and that one, and run `bun cli.ts secrets rotate`. It is in snug.json of the backup.",
    ];
  }
  if (savedKeys || isConfigured) return [];
  return [
    "The secret key was not in the backup: set SECRET_KEY as it was, or enter the mail password again and make new secrets for webhooks.",
  ];
}

export const backupCommands: Command[] = [
  {
    name: "backup",
    args: ["<file>"],
    summary: "save the database and the uploads in one file, while the service runs, and check it",
    effect: "operate",
    options: {
      uploads: UPLOADS,
      recipient: {
        value: "<age1…>",
        multiple: true,
        help: "encrypt it for this public key of age (default: BACKUP_RECIPIENTS); can be repeated",
      },
      "without-key": { help: "leave the secret key of the data folder out" },
    },
    async run(call) {
      const { config, options } = call;
      const file = call.arg;
      await checkPlace(file);
      const fromOptions = valuesOf(call, "recipient");
      const recipients = fromOptions.length > 0 ? fromOptions : (config.backup?.recipients ?? []);
      const uploadsFolder = textOf(call, "uploads") ?? null;
      const report = await withServer(config, async (target, signal, schema) => {
        const secretKeys = options["without-key"] ? null : await keysToSave(config);
        const source = { target, storage: openStore(config).storage, secretKeys };
        const summary = await takeBackup(source, file, {
          recipients,
          uploadsFolder,
          signal,
          needsAccounts: true,
        });
        if (schema.pending === 0) await recordManualBackup(target, summary.created_at);
        return summary;
      });
      const lines = [
        `Saved ${report.rows} rows and ${report.uploads} uploads in ${file} (${formatSize(report.bytes)}), and checked it.`,
        ...describeMissing(report.missing),
        ...(config.secretKey
          ? ["SECRET_KEY is not in it: keep it where you find it when all else is lost."]
          : []),
      ];
      return { json: report, text: lines.join("\n"), failed: report.missing.length > 0 };
    },
  },
  {
    name: "backup verify",
    args: ["<file>"],
    summary: "read a backup to its end, and compare everything with its checksums",
    effect: "read",
    options: { uploads: UPLOADS, identity: IDENTITY },
    async run(call) {
      const file = call.arg;
      const { head, tail } = await verifyBackup(file, await readOptions(call));
      const rows = Object.values(tail.rows).reduce((total, count) => total + count, 0);
      const { created_at, snug } = head;
      const json = { created_at, snug, rows, uploads: tail.uploads, missing: tail.missing };
      const lines = [
        `A whole backup of ${created_at}, by Snug ${snug}: ${rows} rows, ${tail.uploads.count} uploads (${formatSize(tail.uploads.bytes)}).`,
        ...describeMissing(tail.missing),
      ];
      return { json, text: lines.join("\n") };
    },
  },
  {
    name: "restore",
    args: ["<file>"],
    summary: "restore a backup into an empty database, and its uploads",
    effect: "operate",
    options: {
      uploads: UPLOADS,
      identity: IDENTITY,
      "keep-sessions": { help: "leave everyone signed in who was when the backup was taken" },
    },
    async run(call) {
      const { config } = call;
      const keepsSessions = call.options["keep-sessions"] === true;
      const options = { ...(await readOptions(call)), keepsSessions };
      let keys: string[] | null = null;
      const report = await withServer(
        config,
        (target, signal) => {
          const destination = { target, store: openStore(config), signal };
          return restoreBackup(call.arg, destination, options, async (head) => {
            keys = head.secret_keys;
            if (keys) await restoreKeys(config, keys);
          });
        },
        { creates: true },
      );
      const migrationsText =
        report.migrated > 0 ? ` ${report.migrated} migrations were applied.` : "";
      const lines = [
        `Restored ${report.rows} rows and ${report.uploads} uploads of ${report.created_at}.${migrationsText}`,
        ...describeMissing(report.missing),
        ...describeKeys(keys, config.secretKey !== null),
        ...describeRevived(report),
      ];
      return { json: report, text: lines.join("\n") };
    },
  },
  {
    name: "database move",
    args: ["<url>"],
    summary: "copy the database, such as the embedded one, into an empty PostgreSQL of your own",
    effect: "operate",
    async run(call) {
      const url = call.arg;
      if (!/^postgres(?:ql)?:/.test(url) || !URL.canParse(url)) {
        throw new UsageError("Give the address as postgres://user:password@host/database.");
      }
      const rows = await withServer(call.config, (target, signal) =>
        moveDatabase(target, url, signal),
      );
      const text = `Copied ${rows} rows. Set DATABASE_URL to this address and start Snug. The old database stays as it is.`;
      return { json: { rows }, text };
    },
  },
];
