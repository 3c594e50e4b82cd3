import { type Placeholder, sql } from "drizzle-orm";
import type { Query } from "./connect.ts";

/** A placeholder for each parameter of a prepared query. */
export type Params<V> = { [Name in keyof V]: Placeholder };

/** What drizzle's query builders have in common. */
type Preparable<R> = {
  prepare(name: string): { execute(values: Record<string, unknown>): Promise<R> };
};

const placeholders = new Proxy({}, { get: (_, name) => sql.placeholder(String(name)) });

/**
 * Declares a drizzle query that is built and prepared once per client, on first use. PostgreSQL then
 * parses it once per connection, and the driver saves the round trip that describes its parameters.
 * In a transaction the query is built again; PostgreSQL still has it prepared.
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
  const prepared = new WeakMap<Query, ReturnType<Preparable<R>["prepare"]>>();
  return (db, values) => {
    let query = prepared.get(db);
    if (!query) {
      query = build(db, placeholders as Params<V>).prepare(name);
      prepared.set(db, query);
    }
    return query.execute(values as Record<string, unknown>);
  };
}
