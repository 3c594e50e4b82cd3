import type { Sql, TransactionSql } from "postgres";
import { openClient } from "./connect.ts";
import { MigrationError } from "./migrate.ts";
import { isPooled, type Target } from "./target.ts";

/** Connections to occupy, so that the pooler has to choose another one. */
const HOLDERS = 3;
/** invalid_sql_statement_name, in_failed_sql_transaction (from the retry), duplicate_prepared_statement. */
const LOST_STATEMENT = ["26000", "25P02", "42P05"];
/** With few connections the last statement may have to wait; the check gives up after this time. */
const PATIENCE_MS = 3_000;

/**
 * Checks a pooler: prepares a statement in one transaction and uses it in others, on another connection
 * to PostgreSQL if the pooler has one.
 * @throws MigrationError if the pooler loses prepared statements, as PgBouncer before 1.21 does
 */
export async function checkPooler(target: Target): Promise<void> {
  if (!isPooled(target) || !target.prepares) return;
  const clients: Sql[] = [];
  const open = () => {
    const sql = openClient(target, 1);
    clients.push(sql);
    return sql;
  };
  const { promise: checkEnd, resolve: endCheck } = Promise.withResolvers<void>();
  const { promise: late, resolve: giveUp } = Promise.withResolvers<void>();
  const timer = setTimeout(giveUp, PATIENCE_MS);
  try {
    await Promise.race([late, readBackendOften(open, checkEnd)]);
  } catch (error) {
    const { code = "" } = error as { code?: string };
    if (!LOST_STATEMENT.includes(code)) throw error;
    throw new MigrationError(
      "The pooler of DATABASE_URL loses prepared statements, as PgBouncer before 1.21 or with max_prepared_statements = 0: set DATABASE_PREPARE=false.",
    );
  } finally {
    clearTimeout(timer);
    endCheck();
    await Promise.all(clients.map((sql) => sql.end({ timeout: 1 })));
  }
}

async function readBackendOften(open: () => Sql, checkEnd: Promise<void>): Promise<void> {
  const sql = open();
  // The driver retries a statement whose preparation was lost, but not within a transaction.
  const ask = () => sql.begin(readBackend);
  const first = await ask();
  for (let holders = 0; holders < HOLDERS; holders++) {
    if ((await ask()) !== first) return;
    await hold(open(), checkEnd);
  }
  await ask();
}

async function readBackend(tx: TransactionSql): Promise<number> {
  const [row] = await tx<[{ pid: number }]>`select pg_backend_pid() as pid`;
  return row.pid;
}

/** Occupies one of the pooler's connections to PostgreSQL until `checkEnd` resolves. */
function hold(sql: Sql, checkEnd: Promise<void>): Promise<void> {
  return new Promise((resolve, reject) => {
    sql
      .begin(async (tx) => {
        await readBackend(tx);
        resolve();
        await checkEnd;
      })
      .catch(reject);
  });
}
