import { PostgresJsSession } from "drizzle-orm/postgres-js";
import { createRowMapper } from "./map-rows.ts";

/** Texts that connections keep prepared; queries beyond it are planned each time. */
const MAX_PREPARED_TEXTS = 1_000;

const texts = new Set<string>();
let isInstalled = false;

/** What drizzle keeps out of its types. */
type Internals = {
  customResultMapper?: (rows: unknown[][]) => unknown;
  joinsNotNullableMap?: Record<string, boolean>;
};

/**
 * Makes drizzle send every query as a prepared statement, in transactions too. PostgreSQL then parses
 * and plans a text once per connection, and the driver saves the round trip in which it asks for the
 * types of the parameters. drizzle does so only for queries that are built with `prepare(name)`. How the
 * rows of a query are mapped is prepared as well.
 */
export function prepareAllQueries(): void {
  if (isInstalled) return;
  isInstalled = true;
  const session = PostgresJsSession.prototype;
  const { prepareQuery } = session;
  session.prepareQuery = function (query, fields, name, ...rest) {
    const prepared = prepareQuery.call(this, query, fields, name ?? nameOf(query.sql), ...rest);
    if (fields) mapRowsOf(prepared as Internals, fields);
    return prepared as never;
  };
}

/** The driver only checks that there is a name; it identifies statements by their text. */
function nameOf(text: string): string | undefined {
  if (texts.size < MAX_PREPARED_TEXTS) texts.add(text);
  return texts.has(text) ? "prepared" : undefined;
}

/** With the first rows, since drizzle sets which tables may be left out after the query is built. */
function mapRowsOf(prepared: Internals, fields: Parameters<typeof createRowMapper>[0]): void {
  // Deeper ones, of which there are none, stay drizzle's.
  if (fields.some(({ path }) => path.length > 2)) return;
  let mapRow: ReturnType<typeof createRowMapper> | undefined;
  prepared.customResultMapper ??= (rows) => {
    mapRow ??= createRowMapper(fields, prepared.joinsNotNullableMap);
    return rows.map(mapRow);
  };
}
