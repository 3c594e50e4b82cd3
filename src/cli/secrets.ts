import type { Config } from "../config.ts";
import type { SqlClient } from "../database/connect.ts";
import { withDatabase } from "../database/open.ts";
import { GITHUB_SECRET } from "../webhooks/incoming/github-signature.ts";
import { SMTP_PASSWORD } from "../email/settings.ts";
import { PUSH_KEY } from "../push/vapid.ts";
import { seal, unseal } from "../platform/sealed.ts";
import {
  loadSecretKey,
  makeSecretKey,
  type ReadKey,
  type SecretKeys,
  writeSecretKeys,
} from "../platform/secrets.ts";
import { WEBHOOK_SECRET } from "../webhooks/outgoing/secret.ts";
import type { Command } from "./command.ts";

/** Everything that lies sealed in the database. */
const SEALED = [
  { table: "smtp_settings", column: "password", key: "is_only", purpose: SMTP_PASSWORD },
  { table: "push_keys", column: "private_key", key: "is_only", purpose: PUSH_KEY },
  { table: "outgoing_webhooks", column: "secret", key: "id", purpose: WEBHOOK_SECRET },
  { table: "outgoing_webhooks", column: "previous_secret", key: "id", purpose: WEBHOOK_SECRET },
  { table: "incoming_webhooks", column: "github_secret", key: "id", purpose: GITHUB_SECRET },
] as const;

export function readKeyOf({ dataDir, secretKey }: Config): ReadKey {
  return () => loadSecretKey(dataDir, secretKey);
}

/**
 * Seals anew with a new key. Whatever ends it in the middle, the settings or the key's file then
 * hold both keys, and it can be run again.
 */
export const secretsRotate: Command = {
  name: "secrets rotate",
  usage: "",
  summary: "replace the key that seals what is secret in the database",
  words: 0,
  run: (call) =>
    withDatabase(call.config, async ({ sql }) => {
      const { dataDir, secretKey } = call.config;
      if (secretKey) {
        const count = await reseal(sql, secretKey);
        return { json: { resealed: count }, text: configured(secretKey, count) };
      }
      const keys = await loadSecretKey(dataDir, null);
      const next: SecretKeys = [makeSecretKey(), ...keys];
      // First, so that a service which runs beside can open what either key has sealed.
      await writeSecretKeys(dataDir, next);
      const count = await reseal(sql, next);
      await writeSecretKeys(dataDir, [next[0]]);
      const text = `There is a new key in ${dataDir}; what it seals: ${count}. Copy it to your backups.`;
      return { json: { resealed: count }, text };
    }),
};

function configured(keys: SecretKeys, count: number): string {
  return keys.length > 1
    ? `What the first key of SECRET_KEY seals now: ${count}. Take the others away and start again.`
    : "SECRET_KEY holds one key, and everything is sealed with it. To replace it, set it to the new key, a comma and the old one, restart, and run this again.";
}

/** Seals everything with the first key, all or nothing. @returns how many values there are */
function reseal(sql: SqlClient, keys: SecretKeys): Promise<number> {
  return sql.begin(async (tx) => {
    let count = 0;
    for (const { table, column, key, purpose } of SEALED) {
      // Whoever writes a secret meanwhile waits, and then seals with the key that is there.
      await tx`lock table ${tx(table)} in share row exclusive mode`;
      const rows = await tx`
        select ${tx(key)} as id, ${tx(column)} as sealed from ${tx(table)}
        where ${tx(column)} is not null`;
      const fresh = rows.map(({ sealed }) => seal(keys, purpose, unseal(keys, purpose, sealed)));
      for (const [i, row] of rows.entries()) {
        await tx`update ${tx(table)} set ${tx(column)} = ${fresh[i] ?? null}
          where ${tx(key)} = ${row.id}`;
      }
      count += rows.length;
    }
    return count;
  }) as Promise<number>;
}
