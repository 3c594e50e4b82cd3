import { eq, isNotNull, sql } from "drizzle-orm";
import type { PgColumn } from "drizzle-orm/pg-core";
import type { Drizzle } from "../database/connect.ts";
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
import { isSealedWith, sealValue, UnsealError, unsealValue } from "../platform/secrets/sealed.ts";
import type { SecretKeys } from "../platform/secrets/secrets.ts";
import { TOTP_SECRET } from "../sign-in/totp.ts";
import { CLIENT_SECRET } from "../providers/connection.ts";
import { FLOW_VERIFIER } from "../providers/flow.ts";
import { PUSH_KEY } from "../push/vapid.ts";
import { GITHUB_SECRET } from "../webhooks/incoming/github.ts";
import { WEBHOOK_SECRET } from "../webhooks/outgoing/secret.ts";

/** With the column that identifies a row. */
const SEALED_COLUMNS: [column: PgColumn, id: PgColumn, purpose: string][] = [
  [smtpSettings.password, smtpSettings.isOnly, SMTP_PASSWORD],
  [pushKeys.privateKey, pushKeys.isOnly, PUSH_KEY],
  [outgoingWebhooks.secret, outgoingWebhooks.id, WEBHOOK_SECRET],
  [outgoingWebhooks.previousSecret, outgoingWebhooks.id, WEBHOOK_SECRET],
  [identityProviders.clientSecret, identityProviders.id, CLIENT_SECRET],
  [oidcFlows.verifier, oidcFlows.stateHash, FLOW_VERIFIER],
  [totp.secret, totp.userId, TOTP_SECRET],
  [totp.nextSecret, totp.userId, TOTP_SECRET],
  [incomingWebhooks.githubSecret, incomingWebhooks.id, GITHUB_SECRET],
];

/** @returns how many secrets there are */
export function resealColumns(db: Drizzle, keys: SecretKeys): Promise<number> {
  return db.transaction(async (tx) => {
    let count = 0;
    for (const [column, id, purpose] of SEALED_COLUMNS) {
      const { table } = column;
      // Writers wait for this lock, and then seal with the current key.
      await tx.execute(sql`lock table ${table} in share row exclusive mode`);
      const rows = await tx.select({ id, sealed: column }).from(table).where(isNotNull(column));
      for (const row of rows) {
        const value = sealValue(keys, purpose, unsealValue(keys, purpose, row.sealed as Buffer));
        const name = sql.identifier(column.name);
        await tx.execute(
          sql`update ${table} set ${name} = ${sql.param(value, column)} where ${eq(id, row.id)}`,
        );
      }
      count += rows.length;
    }
    return count;
  });
}

/** The first bytes of a sealed value, which identify its key. */
const HEAD_BYTES = 5;

/** @throws UnsealError if another key has sealed a value in the database */
export async function requireRightKey(db: Drizzle, keys: readonly Buffer[]): Promise<void> {
  const heads = SEALED_COLUMNS.map(
    ([column, , purpose]) => sql`
      select distinct ${purpose}::text as purpose, substr(${column}, 1, ${HEAD_BYTES}::int) as head
      from ${column.table} where ${column} is not null`,
  );
  const rows = await db.execute<{ purpose: string; head: Buffer }>(sql.join(heads, sql` union `));
  const foreign = rows.filter(({ head }) => !isSealedWith(keys, head));
  if (foreign.length === 0) return;
  const purposes = [...new Set(foreign.map(({ purpose }) => purpose))].join(", ");
  throw new UnsealError(
    `The database was sealed with another key (${purposes}): set SECRET_KEY or secret.key in DATA_DIR to the one it was sealed with.`,
  );
}
