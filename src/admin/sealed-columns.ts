import { eq, isNotNull, sql } from "drizzle-orm";
import type { PgColumn, PgTable } from "drizzle-orm/pg-core";
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

type SealedColumn = { table: PgTable; id: PgColumn; column: PgColumn; purpose: string };

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

/** Seals all secrets with the first key in one transaction. @returns how many there are */
export function resealAll(db: Drizzle, keys: SecretKeys): Promise<number> {
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

/** The first bytes of a sealed value, which identify its key. */
const HEAD_BYTES = 5;

/** @throws UnsealError if another key has sealed a value in the database */
export async function requireRightKey(db: Drizzle, keys: readonly Buffer[]): Promise<void> {
  const heads = SEALED_COLUMNS.map(
    ({ table, column, purpose }) => sql`
      select distinct ${purpose}::text as purpose, substr(${column}, 1, ${HEAD_BYTES}::int) as head
      from ${table} where ${column} is not null`,
  );
  const rows = await db.execute<{ purpose: string; head: Buffer }>(sql.join(heads, sql` union `));
  const foreign = rows.filter(({ head }) => !isSealedWith(keys, head));
  if (foreign.length === 0) return;
  const purposes = [...new Set(foreign.map(({ purpose }) => purpose))].join(", ");
  throw new UnsealError(
    `The database was sealed with another key (${purposes}): set SECRET_KEY or secret.key in DATA_DIR to the one it was sealed with.`,
  );
}
