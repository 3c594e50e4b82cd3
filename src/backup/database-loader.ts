import { once } from "node:events";
import type { Writable } from "node:stream";
import type { TransactionSql } from "postgres";
import { LOCK_KEY, readKnownMigrations } from "../database/migrate.ts";
import { TABLE_NAMES } from "../database/tables.ts";
import { type AppliedMigration, BackupError, type Head, type Tail } from "./format.ts";
import { countRows, listSequences, tryLock } from "./statements.ts";
import {
  copyIn,
  countOthers,
  createMigrationsTable,
  dropTables,
  emptyTable,
  hasAccounts,
  insertMigration,
  listObstacles,
  moveNumbersOn,
  runStatement,
  setSequence,
} from "./restore-statements.ts";

/** More events than a room can have had since the backup: see `moveNumbersOn`. */
const LOST_EVENTS = 100_000;
const CLOSING_MS = 1_000;

/** Puts Snug's tables into an empty database, in a transaction that is open. */
export class DatabaseLoader {
  #head: Head | null = null;
  #restore: string[] = [];
  #copy: { table: string; stream: Writable } | null = null;

  constructor(private readonly tx: TransactionSql) {}

  /** Runs work that writes. If it fails in the middle of a table, the transaction can be rolled back. */
  async use<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      this.#copy?.stream.destroy(error as Error);
      throw error;
    }
  }

  /** @throws BackupError if the backup must not be restored into this database */
  async begin(head: Head): Promise<void> {
    const { tx } = this;
    this.#head = head;
    if (!(await tryLock(tx, LOCK_KEY)) || (await isInUse(tx))) {
      throw new BackupError("Snug is using this database: stop it first.");
    }
    if (await hasAccounts(tx)) {
      throw new BackupError(
        "This database has accounts: restore into an empty one, so that nothing is overwritten.",
      );
    }
    const older = checkMigrations(head.migrations);
    await dropTables(tx, TABLE_NAMES);
    await createMigrationsTable(tx);
    await applyMigrations(tx, older);
    for (const { drop, create } of await listObstacles(tx)) {
      await runStatement(tx, drop);
      this.#restore.push(create);
    }
    // Migrations have inserted rows into some tables.
    for (const { name } of head.tables) await emptyTable(tx, name);
  }

  async write(table: string, text: Uint8Array): Promise<void> {
    if (this.#copy?.table !== table) {
      await this.#endCopy();
      const columns = this.#head?.tables.find(({ name }) => name === table)?.columns ?? [];
      const stream = await copyIn(this.tx, table, columns);
      // The error is thrown by those who wait for the stream.
      stream.on("error", () => {});
      this.#copy = { table, stream };
    }
    const { stream } = this.#copy as { stream: Writable };
    if (stream.errored) throw stream.errored;
    if (!stream.write(text)) await once(stream, "drain");
  }

  async endRows(): Promise<void> {
    await this.#endCopy();
    for (const create of this.#restore) await runStatement(this.tx, create);
  }

  /**
   * @param options.isSameTimeline nothing has happened after what was read
   * @returns how many migrations followed those of the backup
   */
  async finish(
    tail: Pick<Tail, "rows" | "sequences">,
    { isSameTimeline = false } = {},
  ): Promise<number> {
    const { tx } = this;
    for (const [table, count] of Object.entries(tail.rows)) {
      const found = await countRows(tx, table);
      if (found !== count) {
        throw new BackupError(`PostgreSQL has ${found} rows of ${table}, the backup ${count}.`);
      }
    }
    const known = new Set((await listSequences(tx)).map(({ name }) => name));
    for (const { name, last_value } of tail.sequences) {
      if (last_value !== null && known.has(name)) await setSequence(tx, name, last_value);
    }
    const newer = readKnownMigrations().slice(this.#head?.migrations.length);
    await applyMigrations(tx, newer);
    if (!isSameTimeline) await moveNumbersOn(tx, LOST_EVENTS);
    return newer.length;
  }

  async #endCopy(): Promise<void> {
    if (!this.#copy) return;
    const { stream } = this.#copy;
    this.#copy = null;
    if (stream.errored) throw stream.errored;
    const finished = once(stream, "finish");
    stream.end();
    await finished;
  }
}

/** Waits a moment for connections that have just been closed. */
export async function isInUse(tx: TransactionSql, ownConnections = 1): Promise<boolean> {
  const deadline = Date.now() + CLOSING_MS;
  while ((await countOthers(tx)) >= ownConnections) {
    if (Date.now() > deadline) return true;
    await Bun.sleep(CLOSING_MS / 20);
  }
  return false;
}

type KnownMigration = ReturnType<typeof readKnownMigrations>[number];

/** @returns the migrations of this version that the backup had */
function checkMigrations(applied: AppliedMigration[]): KnownMigration[] {
  const known = readKnownMigrations();
  if (applied.length > known.length) {
    throw new BackupError("The backup is of a newer version of Snug: restore it with that one.");
  }
  const other = applied.findIndex(({ hash }, i) => known[i]?.hash !== hash);
  if (other !== -1) {
    throw new BackupError(
      `Migration ${other} of the backup is unknown to this version: restore it with the version that wrote it.`,
    );
  }
  return known.slice(0, applied.length);
}

async function applyMigrations(tx: TransactionSql, migrations: KnownMigration[]): Promise<void> {
  for (const { statements, ...migration } of migrations) {
    for (const statement of statements) await runStatement(tx, statement);
    await insertMigration(tx, migration);
  }
}
