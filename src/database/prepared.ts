import { type Placeholder, sql } from "drizzle-orm";
import type { Query } from "./connect.ts";

/** A placeholder for each parameter of a prepared query. */
export type Params<V> = { [Name in keyof V]: Placeholder };

/** What drizzle's query builders have in common. */
type Preparable<R> = {
  prepare(name: string): { execute(values: Record<string, unknown>): Promise<R> };
};

const placeholders = new Proxy({}, { get: (_, name) => sql.placeholder(String(name)) });

/** What drizzle keeps out of its types: where a query is run. */
type Session = { session: { client: unknown } };

/**
 * Declares a drizzle query that is built once, on first use: to build it costs several times what it
 * costs to run. PostgreSQL parses it once per connection, and the driver saves the round trip that
 * describes its parameters. All of that holds in transactions, too.
 *
 * ```ts
 * const findUser = prepareQuery("find_user", (db, params: Params<{ id: string }>) =>
 *   db.select().from(users).where(eq(users.id, params.id)),
 * );
 * const [user] = await findUser(db, { id });
 * ```
 *
 * A parameter is passed to the driver as it is. One that its column encodes (a Date, JSON) is written
 * `sql.param(params.at, messages.createdAt)`; a list is ``sql`${users.id} = any(${params.ids})` ``.
 */
export function prepareQuery<R, V extends object = Record<string, unknown>>(
  name: string,
  build: (db: Query, params: Params<V>) => Preparable<R>,
): (db: Query, values: V) => Promise<R> {
  type Built = ReturnType<Preparable<R>["prepare"]> & { client: unknown };
  let built: Built | undefined;
  return (db, values) => {
    // The connection is that of the call; all else of a query is the same everywhere.
    built ??= Object.assign(build(db, placeholders as Params<V>).prepare(name), { client: null });
    const query: Built = Object.create(built);
    query.client = (db as unknown as Session).session.client;
    return query.execute(values as Record<string, unknown>);
  };
}
