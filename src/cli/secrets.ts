import { eq, isNotNull, sql } from "drizzle-orm";
import type { PgColumn, PgTable } from "drizzle-orm/pg-core";
import type { Config } from "../config.ts";
import type { Drizzle } from "../database/connect.ts";
import { withDatabase } from "../database/open.ts";
import {
  identityProviders,
  oidcFlows,
  incomingWebhooks,
  outgoingWebhooks,
  pushKeys,
  smtpSettings,
  totp,
} from "../database/schema.ts";
import { SMTP_PASSWORD } from "../email/settings.ts";
import { sealValue, unsealValue } from "../platform/sealed.ts";
import {
  loadSecretKey,
  makeSecretKey,
  type ReadKey,
  type SecretKeys,
  writeSecretKeys,
} from "../platform/secrets.ts";
import { TOTP_SECRET } from "../sign-in/check-factor.ts";
import { CLIENT_SECRET } from "../providers/connection.ts";
import { FLOW_VERIFIER } from "../providers/flow.ts";
import { PUSH_KEY } from "../push/vapid.ts";
import { GITHUB_SECRET } from "../webhooks/incoming/github-signature.ts";
import { WEBHOOK_SECRET } from "../webhooks/outgoing/secret.ts";
import type { Command } from "./command.ts";

type SealedColumn = { table: PgTable; id: PgColumn; column: PgColumn; purpose: string };

/** All columns that are sealed with the secret key. */
const SEALED_COLUMNS: SealedColumn[] = [
  {
    table: smtpSettings,
    id: smtpSettings.isOnly,
    column: smtpSettings.password,
    purpose: SMTP_PASSWORD,
  },
  { table: pushKeys, id: pushKeys.isOnly, column: pushKeys.privateKey, purpose: PUSH_KEY },
  ...[outgoingWebhooks.secret, outgoingWebhooks.previousSecret].map((column) => ({
    table: outgoingWebhooks,
    id: outgoingWebhooks.id,
    column,
    purpose: WEBHOOK_SECRET,
  })),
  {
    table: identityProviders,
    id: identityProviders.id,
    column: identityProviders.clientSecret,
    purpose: CLIENT_SECRET,
  },
  { table: oidcFlows, id: oidcFlows.stateHash, column: oidcFlows.verifier, purpose: FLOW_VERIFIER },
  ...[totp.secret, totp.nextSecret].map((column) => ({
    table: totp,
    id: totp.userId,
    column,
    purpose: TOTP_SECRET,
  })),
  {
    table: incomingWebhooks,
    id: incomingWebhooks.id,
    column: incomingWebhooks.githubSecret,
    purpose: GITHUB_SECRET,
  },
];

/** Reads the secret key when it is needed: from the environment, or else from the data directory. */
export function readKeyOf({ dataDir, secretKey }: Config): ReadKey {
  return () => loadSecretKey(dataDir, secretKey);
}

/**
 * Seals everything with a new key. If it is interrupted, the settings or the key file still hold both
 * keys, and it can be run again.
 */
export const secretsRotate: Command = {
  name: "secrets rotate",
  summary: "replace the secret key and seal the database's secrets with the new one",
  effect: "operate",
  run: (call) =>
    withDatabase(call.config, async ({ db }) => {
      const { dataDir, secretKey } = call.config;
      if (secretKey) {
        const count = await resealAll(db, secretKey);
        return { json: { resealed: count }, text: describeConfigured(secretKey, count) };
      }
      const keys = await loadSecretKey(dataDir, null);
      const next: SecretKeys = [makeSecretKey(), ...keys];
      // Write both keys first, so that a running service can unseal with either.
      await writeSecretKeys(dataDir, next);
      const count = await resealAll(db, next);
      await writeSecretKeys(dataDir, [next[0]]);
      const text = `Saved a new key in ${dataDir} and sealed ${count} secrets with it. Copy it to your backups.`;
      return { json: { resealed: count }, text };
    }),
};

function describeConfigured(keys: SecretKeys, count: number): string {
  return keys.length > 1
    ? `Sealed ${count} secrets with the first key of SECRET_KEY. Remove the other keys and restart.`
    : "Everything is sealed with SECRET_KEY. To replace it, set it to the new key, a comma and the old key, restart, and run this again.";
}

/** Seals all secrets with the first key in one transaction. @returns how many there are */
function resealAll(db: Drizzle, keys: SecretKeys): Promise<number> {
  return db.transaction(async (tx) => {
    let count = 0;
    for (const { table, id, column, purpose } of SEALED_COLUMNS) {
      // Writers wait for this lock, and then seal with the current key.
      await tx.execute(sql`lock table ${table} in share row exclusive mode`);
      const rows = await tx.select({ id, sealed: column }).from(table).where(isNotNull(column));
      for (const row of rows) {
        const sealed = sealValue(keys, purpose, unsealValue(keys, purpose, row.sealed as Buffer));
        const name = sql.identifier(column.name);
        await tx.execute(
          sql`update ${table} set ${name} = ${sql.param(sealed, column)} where ${eq(id, row.id)}`,
        );
      }
      count += rows.length;
    }
    return count;
  });
}
