import { PostgresJsSession } from "drizzle-orm/postgres-js";

/** Texts that connections keep prepared; queries beyond it are planned each time. */
const MAX_PREPARED_TEXTS = 1_000;

const texts = new Set<string>();
let isInstalled = false;

/**
 * Makes drizzle send every query as a prepared statement, in transactions too. PostgreSQL then parses
 * and plans a text once per connection, and the driver saves the round trip in which it asks for the
 * types of the parameters. drizzle does so only for queries that are built with `prepare(name)`.
 */
export function prepareAllQueries(): void {
  if (isInstalled) return;
  isInstalled = true;
  const session = PostgresJsSession.prototype;
  const { prepareQuery } = session;
  session.prepareQuery = function (query, fields, name, ...rest) {
    return prepareQuery.call(this, query, fields, name ?? nameOf(query.sql), ...rest) as never;
  };
}

/** The driver asks only whether there is a name; it tells statements apart by their text. */
function nameOf(text: string): string | undefined {
  if (texts.size < MAX_PREPARED_TEXTS) texts.add(text);
  return texts.has(text) ? "prepared" : undefined;
}
