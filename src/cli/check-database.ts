import type { Config } from "../config.ts";
import { connectDatabase, type SqlClient } from "../database/connect.ts";
import { checkServer, countKnownMigrations, type Schema } from "../database/migrate.ts";
import { withServer } from "../database/open.ts";
import { checkPooler } from "../database/pooler.ts";
import {
  canWrite,
  readConnections,
  readServerState,
  readStatementTimeout,
} from "../database/statements.ts";
import { isPooled } from "../database/target.ts";
import { formatCount } from "./command.ts";

/* What doctor finds out about PostgreSQL. */

/** @param onSchema called with what the database holds, also where something is wrong with it */
export async function checkDatabase(
  config: Config,
  onSchema: (schema: Schema) => void,
): Promise<string> {
  return withServer(config, async (target, _, schema) => {
    onSchema(schema);
    const { sql, close } = connectDatabase(target, 2);
    try {
      await checkServer(sql);
      await checkPooler(target);
      if (isPooled(target)) await checkPooledLimits(sql);
      const { version, isDurable } = await readServerState(sql);
      if (!isDurable) {
        throw new Error("fsync or synchronous_commit is off: an acknowledged message can be lost.");
      }
      if (schema.isThere && !(await canWrite(sql))) {
        throw new Error(
          "The database's user may only read, or the server is a standby: the service needs the user that owns the tables, on the primary.",
        );
      }
      const kind = config.databaseUrl ? "" : "embedded ";
      const total = formatCount(countKnownMigrations(), "migration");
      const connections = await checkConnections(sql, config);
      return `${kind}PostgreSQL ${version}, ${schema.applied} of ${total}; ${connections}`;
    } finally {
      await close();
    }
  });
}

async function checkPooledLimits(sql: SqlClient): Promise<void> {
  if ((await readStatementTimeout(sql)) > 0) return;
  throw new Error(
    "A pooler takes no time limits of a connection, and the database has none of its own (statement_timeout is 0). As its owner, run: alter database <name> set statement_timeout = '600s', and the same with lock_timeout = '5s' and idle_in_transaction_session_timeout = '60s'.",
  );
}

async function checkConnections(sql: SqlClient, { databasePool }: Config): Promise<string> {
  const { max, used } = await readConnections(sql);
  if (databasePool > max) {
    throw new Error(
      `Each process opens up to ${databasePool} connections (DATABASE_POOL), but PostgreSQL allows ${max}: raise max_connections or lower DATABASE_POOL.`,
    );
  }
  const processes = formatCount(Math.floor(max / databasePool), "process", "processes");
  return `${used} of ${max} connections are in use, DATABASE_POOL=${databasePool} allows ${processes}`;
}
