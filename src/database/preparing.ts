import type { Sql, TransactionSql } from "postgres";

/**
 * How many statements connections keep prepared. Further ones, such as those with lists of many lengths, are
 * planned each time.
 */
const MAX_PREPARED_TEXTS = 1_000;
const texts = new Set<string>();

const PREPARED = { prepare: true, simple: false };

type Unsafe = Sql["unsafe"];
type Begin = (run: (tx: TransactionSql) => unknown) => Promise<unknown>;

/**
 * A client for drizzle that sends each query as a prepared statement, in transactions too. drizzle asks
 * the driver for it only where a query is built with `prepare(name)`; for any other the driver makes a
 * second round trip, to ask PostgreSQL for the types of the parameters, and PostgreSQL plans it again.
 * The driver identifies statements by their text.
 */
export function preparing<C extends Sql | TransactionSql>(client: C): C {
  const unsafe = client.unsafe as Unsafe;
  return Object.assign(Object.create(client) as C, {
    unsafe: ((text, params, options) =>
      // By default the driver sends a query without parameters by the simple protocol, unprepared.
      unsafe(text, params, { ...options, ...(isPrepared(text) && PREPARED) })) as Unsafe,
    ...wrap(client, "begin"),
    ...wrap(client, "savepoint"),
  });
}

/** Starts a transaction whose queries are prepared as well. */
function wrap(client: Sql | TransactionSql, name: "begin" | "savepoint") {
  const start = (client as unknown as Record<string, Begin | undefined>)[name];
  if (!start) return {};
  return { [name]: ((run) => start((tx) => run(preparing(tx)))) as Begin };
}

function isPrepared(text: string): boolean {
  if (texts.size < MAX_PREPARED_TEXTS) texts.add(text);
  return texts.has(text);
}
