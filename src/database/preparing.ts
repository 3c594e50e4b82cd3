import type { Sql, TransactionSql } from "postgres";

/** Further statements, such as lists of many lengths, are planned for each execution. */
const MAX_PREPARED_TEXTS = 1_000;
const texts = new Set<string>();

const PREPARED = { prepare: true, simple: false };

type Unsafe = Sql["unsafe"];
type Begin = (run: (tx: TransactionSql) => unknown) => Promise<unknown>;

/**
 * Wraps a client for drizzle so that every query is sent as a prepared statement, including in
 * transactions. drizzle requests this only for queries built with `prepare(name)`. For other queries,
 * the driver makes a second round trip for the parameter types, and PostgreSQL plans the query each
 * time. The driver identifies statements by their text.
 */
export function prepareStatements<C extends Sql | TransactionSql>(client: C): C {
  const unsafe = client.unsafe as Unsafe;
  return Object.assign(Object.create(client) as C, {
    unsafe: ((text, params, options) =>
      // By default the driver sends a query without parameters by the simple query protocol.
      unsafe(text, params, { ...options, ...(isPrepared(text) && PREPARED) })) as Unsafe,
    ...wrap(client, "begin"),
    ...wrap(client, "savepoint"),
  });
}

/** Wraps the function that starts a transaction, so that its queries are prepared as well. */
function wrap(client: Sql | TransactionSql, name: "begin" | "savepoint") {
  const start = (client as unknown as Record<string, Begin | undefined>)[name];
  if (!start) return {};
  return { [name]: ((run) => start((tx) => run(prepareStatements(tx)))) as Begin };
}

function isPrepared(text: string): boolean {
  if (texts.size < MAX_PREPARED_TEXTS) texts.add(text);
  return texts.has(text);
}
