/**
 * Hand-written SQL: these fill whole tables with COPY, whatever columns a version has, and drop and
 * create what PostgreSQL's catalogue says of them.
 */
import type { Writable } from "node:stream";
import type { Sql, TransactionSql } from "postgres";
import type { AppliedMigration } from "./format.ts";
import { quoteIdentifier } from "./statements.ts";

/** Opens a stream that writes rows in the same format into a table. */
export async function copyIn(
  tx: TransactionSql,
  table: string,
  columns: string[],
): Promise<Writable> {
  return tx`copy ${tx(table)} (${tx(columns)}) from stdin`.writable();
}

/** Sets a sequence, so that its next number follows this one. */
export async function setSequence(tx: TransactionSql, name: string, value: string): Promise<void> {
  await tx`select setval(${quoteIdentifier(name)}::regclass, ${value}::text::bigint)`;
}

/** Whether Snug's tables are there, and an account in them. */
export async function hasAccounts(tx: TransactionSql): Promise<boolean> {
  const [found] = await tx<{ is_there: boolean }[]>`
    select to_regclass('users') is not null as is_there`;
  if (!found?.is_there) return false;
  return (await tx`select from users limit 1`).length > 0;
}

/** How many other connections Snug has to this database. */
export async function countOthers(tx: TransactionSql): Promise<number> {
  // Within a transaction PostgreSQL repeats the figures that it has shown before.
  await tx`select pg_stat_clear_snapshot()`;
  const [row] = await tx<{ count: number }[]>`
    select count(*)::int as count from pg_stat_activity
    where datname = current_database() and application_name = 'snug'
      and pid <> pg_backend_pid()`;
  return row?.count ?? 0;
}

/** Drops these tables with the functions of their triggers and the sequences of their defaults. */
export async function dropTables(tx: TransactionSql, tables: string[]): Promise<void> {
  const [found] = await tx<{ tables: string[]; functions: string[]; sequences: string[] }[]>`
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
  await drop("table", found?.tables);
  await drop("function", found?.functions);
  await drop("sequence", found?.sequences);
  await tx`drop schema if exists drizzle cascade`;
}

/**
 * Lists what slows loading rows down or prevents it (foreign keys, indexes, triggers), with the
 * statements that drop it and create it again.
 */
export function listObstacles(tx: TransactionSql): Promise<{ drop: string; create: string }[]> {
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

/** Empties tables that a migration has put rows into. */
export async function emptyTable(tx: TransactionSql, table: string): Promise<void> {
  await tx`delete from ${tx(table)}`;
}

/** Updates the planner's statistics of all tables, which a restore has filled. */
export async function analyzeAll(sql: Sql): Promise<void> {
  await sql`analyze`;
}

/** Runs a statement of a migration, or one that was built from PostgreSQL's catalogue. */
export async function runStatement(tx: TransactionSql, text: string): Promise<void> {
  await tx.unsafe(text);
}

/** Creates the table in which drizzle-orm stores applied migrations. */
export async function createMigrationsTable(tx: TransactionSql): Promise<void> {
  await tx`create schema if not exists drizzle`;
  await tx`create table if not exists drizzle.__drizzle_migrations (
    id serial primary key, hash text not null, created_at bigint)`;
}

/** Stores that a migration was applied. */
export async function insertMigration(
  tx: TransactionSql,
  { hash, created_at }: AppliedMigration,
): Promise<void> {
  await tx`insert into drizzle.__drizzle_migrations (hash, created_at)
    values (${hash}, ${created_at})`;
}

/**
 * Raises every number that clients compare. Otherwise a client would take what it has from after
 * the backup as newer than the restored data; now its next request is answered in full.
 */
export async function moveNumbersOn(tx: TransactionSql, by: number): Promise<void> {
  await tx`update search_rooms s set after_seq = s.after_seq + ${by}
    from rooms r where r.id = s.room_id and s.after_seq = r.last_seq`;
  await tx`update outgoing_webhooks w set after_seq = w.after_seq + ${by}
    from rooms r where r.id = w.room_id and w.after_seq = r.last_seq`;
  await tx`update rooms set last_seq = last_seq + ${by}`;
  await tx`update people_version set version = version + ${by}`;
  await tx`update team_settings set version = version + ${by}`;
  // The triggers on users would count these changes themselves, by one.
  await tx`alter table users disable trigger user`;
  await tx`update users set version = version + ${by}`;
  await tx`alter table users enable trigger user`;
  await tx`select setval('membership_versions', nextval('membership_versions') + ${by})`;
  await tx`update memberships set version = version`;
}
