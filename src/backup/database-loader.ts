import { once } from "node:events";
import type { Writable } from "node:stream";
import type { TransactionSql } from "postgres";
import { LOCK_KEY, readKnownMigrations } from "../database/migrate.ts";
import { TABLE_NAMES } from "../database/tables.ts";
import { type AppliedMigration, BackupError, type Head, type Tail } from "./format.ts";
import { countRows, listSequences, listTables, quoteIdentifier, tryLock } from "./dump.ts";

/** Raw SQL, because drizzle knows neither COPY nor the columns of other versions. */

export async function hasAccounts(tx: TransactionSql): Promise<boolean> {
  const [users] = await tx<{ is_there: boolean }[]>`
    select to_regclass('users') is not null as is_there`;
  if (!users?.is_there) return false;
  return (await tx`select from users limit 1`).length > 0;
}

/** Drops tables with their trigger functions and the sequences of their column defaults. */
async function dropTables(tx: TransactionSql, tables: string[]): Promise<void> {
  const [dependents] = await tx<{ tables: string[]; functions: string[]; sequences: string[] }[]>`
    with t as (
      select oid from pg_class where relname = any(${tables}::text[]) and relkind = 'r'
        and relnamespace = current_schema()::regnamespace
    )
    select coalesce((select array_agg(oid::regclass::text) from t), '{}') as tables,
      coalesce((select array_agg(distinct tgfoid::regprocedure::text) from pg_trigger
        where tgrelid in (select oid from t) and not tgisinternal), '{}') as functions,
      coalesce((select array_agg(distinct d.refobjid::regclass::text)
        from pg_attrdef a join pg_depend d on d.classid = 'pg_attrdef'::regclass
          and d.objid = a.oid and d.refclassid = 'pg_class'::regclass
        join pg_class s on s.oid = d.refobjid and s.relkind = 'S'
        where a.adrelid in (select oid from t)), '{}') as sequences`;
  const drop = async (kind: string, names: string[] = []) => {
    if (names.length === 0) return;
    await tx`drop ${tx.unsafe(`${kind} if exists ${names.join(", ")} cascade`)}`;
  };
  await drop("table", dependents?.tables);
  await drop("function", dependents?.functions);
  await drop("sequence", dependents?.sequences);
  await tx`drop schema if exists drizzle cascade`;
}

/** Lists what prevents or slows down loading rows, with statements to drop and recreate it. */
function listObstacles(tx: TransactionSql): Promise<{ drop: string; create: string }[]> {
  return tx`
    select format('alter table %s drop constraint %I', conrelid::regclass, conname) as drop,
      format('alter table %s add constraint %I %s', conrelid::regclass, conname,
        pg_get_constraintdef(oid)) as create
    from pg_constraint
    where contype = 'f' and connamespace = current_schema()::regnamespace and conparentid = 0
    union all
    select format('drop index %s', i.indexrelid::regclass), pg_get_indexdef(i.indexrelid)
    from pg_index i join pg_class c on c.oid = i.indrelid
    where c.relnamespace = current_schema()::regnamespace and c.relkind = 'r'
      and not exists (select from pg_constraint where conindid = i.indexrelid)
    union all
    select format('alter table %s disable trigger %I', tgrelid::regclass, tgname),
      format('alter table %s enable trigger %I', tgrelid::regclass, tgname)
    from pg_trigger t join pg_class c on c.oid = t.tgrelid
    where not tgisinternal and c.relnamespace = current_schema()::regnamespace`;
}

/**
 * Raises every number that clients compare. Otherwise a client would consider its data from after the
 * backup newer than the restored data. With higher numbers, its next request returns everything.
 */
async function moveNumbersOn(tx: TransactionSql, by: number): Promise<void> {
  await tx`update search_rooms s set after_seq = s.after_seq + ${by}
    from rooms r where r.id = s.room_id and s.after_seq = r.last_seq`;
  await tx`update outgoing_webhooks w set after_seq = w.after_seq + ${by}
    from rooms r where r.id = w.room_id and w.after_seq = r.last_seq`;
  await tx`update rooms set last_seq = last_seq + ${by}`;
  await tx`update people_version set version = version + ${by}`;
  await tx`update team_settings set version = version + ${by}`;
  await tx`update section_lists set version = version + ${by}`;
  await tx`update default_sections set version = version + ${by}`;
  // The triggers on users would also increment these numbers.
  await tx`alter table users disable trigger user`;
  await tx`update users set version = version + ${by}, profile_version = profile_version + ${by}`;
  await tx`alter table users enable trigger user`;
  await tx`select setval('membership_versions', nextval('membership_versions') + ${by})`;
  await tx`update memberships set version = version`;
}

export type EndedSignIns = { sessions: number; password_resets: number };

/**
 * Deletes all sessions with their push subscriptions, password reset links, and sign-ins in progress:
 * some may have been revoked after the backup.
 */
export async function endSignIns(tx: TransactionSql): Promise<EndedSignIns> {
  const sessions = await tx`delete from sessions`;
  const resets = await tx`delete from password_resets`;
  await tx`delete from login_challenges`;
  await tx`delete from oidc_flows`;
  return { sessions: sessions.count, password_resets: resets.count };
}

/** Credentials that work without a session and may have been revoked after the backup. */
export type Revived = {
  active_people: number;
  administrators: number;
  identity_providers: number;
  bot_tokens: number;
  invites: number;
  invite_links: number;
  incoming_webhooks: number;
  outgoing_webhooks: number;
  scheduled_messages: number;
};

/** Counts the credentials that a restore makes valid again even if they were revoked after the backup. */
export async function countRevived(tx: TransactionSql): Promise<Revived> {
  const [row] = await tx<Revived[]>`
    select
      (select count(*)::int from users where not is_bot and is_active) as active_people,
      (select count(*)::int from users where is_site_admin and is_active) as administrators,
      (select count(*)::int from identity_providers where is_enabled) as identity_providers,
      (select count(*)::int from api_tokens
        where revoked_at is null and (expires_at is null or expires_at > now())) as bot_tokens,
      (select count(*)::int from invites
        where revoked_at is null and accepted_at is null and expires_at > now()) as invites,
      (select count(*)::int from invite_links
        where revoked_at is null and expires_at > now() and uses < max_uses) as invite_links,
      (select count(*)::int from incoming_webhooks) as incoming_webhooks,
      (select count(*)::int from outgoing_webhooks where is_active) as outgoing_webhooks,
      (select count(*)::int from scheduled_messages where state = 'waiting') as scheduled_messages`;
  if (!row) throw new Error("PostgreSQL counted nothing.");
  return { ...row };
}

/** An upper bound of the events that a room can have had since the backup; see `moveNumbersOn`. */
const LOST_EVENTS = 100_000;
const CLOSING_MS = 1_000;

/** Loads Snug's tables into an empty database within the caller's transaction. */
export class DatabaseLoader {
  #head: Head | null = null;
  #restore: string[] = [];
  #copy: { table: string; stream: Writable } | null = null;

  constructor(private readonly tx: TransactionSql) {}

  /** If work fails during a COPY, closes the stream, so that the transaction can be rolled back. */
  async use<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      this.#copy?.stream.destroy(error as Error);
      throw error;
    }
  }

  /** @throws BackupError if the backup cannot be restored into this database */
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
    // Where drizzle-orm records applied migrations.
    await tx`create schema if not exists drizzle`;
    await tx`create table if not exists drizzle.__drizzle_migrations (
      id serial primary key, hash text not null, created_at bigint)`;
    await applyMigrations(tx, older);
    for (const { drop, create } of await listObstacles(tx)) {
      await tx.unsafe(drop);
      this.#restore.push(create);
    }
    const tableNames = new Set((await listTables(tx)).map(({ name }) => name));
    const unknownTable = head.tables.find(({ name }) => !tableNames.has(name));
    if (unknownTable)
      throw new BackupError(
        `The backup has a table that this version of Snug does not have: ${unknownTable.name}.`,
      );
    // Migrations have inserted rows into some tables.
    for (const { name } of head.tables) await tx`delete from ${tx(name)}`;
  }

  async write(table: string, text: Uint8Array): Promise<void> {
    if (this.#copy?.table !== table) {
      await this.#endCopy();
      const columns = this.#head?.tables.find(({ name }) => name === table)?.columns ?? [];
      const { tx } = this;
      const stream = await tx`copy ${tx(table)} (${tx(columns)}) from stdin`.writable();
      // The error reaches the caller through the stream's consumer.
      stream.on("error", () => {});
      this.#copy = { table, stream };
    }
    const { stream } = this.#copy as { stream: Writable };
    if (stream.errored) throw stream.errored;
    if (!stream.write(text)) await once(stream, "drain");
  }

  async endRows(): Promise<void> {
    await this.#endCopy();
    for (const create of this.#restore) await this.tx.unsafe(create);
  }

  /**
   * @param options.isSameTimeline true if the source has had no changes since it was read
   * @returns how many migrations were applied after those of the backup
   */
  async finish(
    tail: Pick<Tail, "rows" | "sequences">,
    { isSameTimeline = false } = {},
  ): Promise<number> {
    const { tx } = this;
    for (const [table, count] of Object.entries(tail.rows)) {
      const restoredCount = await countRows(tx, table);
      if (restoredCount !== count) {
        throw new BackupError(
          `PostgreSQL has ${restoredCount} rows of ${table}, the backup ${count}.`,
        );
      }
    }
    const sequences = new Set((await listSequences(tx)).map(({ name }) => name));
    for (const { name, last_value } of tail.sequences) {
      if (last_value === null || !sequences.has(name)) continue;
      await tx`select setval(${quoteIdentifier(name)}::regclass, ${last_value}::text::bigint)`;
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
    const finish = once(stream, "finish");
    stream.end();
    await finish;
  }
}

/** Checks for other connections, waiting briefly for ones that are just closing. */
export async function isInUse(tx: TransactionSql, ownConnections = 1): Promise<boolean> {
  const deadline = Date.now() + CLOSING_MS;
  for (;;) {
    // Within a transaction, PostgreSQL caches statistics views.
    await tx`select pg_stat_clear_snapshot()`;
    const others = await tx`
      select from pg_stat_activity
      where datname = current_database() and application_name = 'snug'
        and pid <> pg_backend_pid()`;
    if (others.length < ownConnections) return false;
    if (Date.now() > deadline) return true;
    await Bun.sleep(CLOSING_MS / 20);
  }
}

type KnownMigration = ReturnType<typeof readKnownMigrations>[number];

/** @returns the migrations of this version that the backup already has */
function checkMigrations(appliedMigrations: AppliedMigration[]): KnownMigration[] {
  const migrations = readKnownMigrations();
  if (appliedMigrations.length > migrations.length) {
    throw new BackupError("The backup is from a newer version of Snug: restore it with that one.");
  }
  const mismatch = appliedMigrations.findIndex(({ hash }, i) => migrations[i]?.hash !== hash);
  if (mismatch !== -1) {
    throw new BackupError(
      `Migration ${mismatch} of the backup is unknown to this version: restore it with the version that wrote it.`,
    );
  }
  return migrations.slice(0, appliedMigrations.length);
}

async function applyMigrations(tx: TransactionSql, migrations: KnownMigration[]): Promise<void> {
  for (const { statements, hash, created_at } of migrations) {
    for (const statement of statements) await tx.unsafe(statement);
    await tx`insert into drizzle.__drizzle_migrations (hash, created_at)
      values (${hash}, ${created_at})`;
  }
}
