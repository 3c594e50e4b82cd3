import type { Fragment, SqlClient } from "../database/connect.ts";
import { notifyInStatement } from "../feed/signals.ts";
import { Coalescer } from "../platform/concurrency/coalesce.ts";
import { getLogger } from "../platform/log.ts";

const log = getLogger("presence");

const HEARTBEAT_MS = 5_000;
/** An instance without a heartbeat for this long is considered dead, and its users offline. */
export const LEASE_SECONDS = 20;
/** A page reload or a short disconnection does not count as going offline. */
const GRACE_MS = 3_000;

/**
 * Records in the database which users are connected to this instance, and which rooms they have open on
 * it. The rows count while the instance has a heartbeat.
 */
export class Presence {
  readonly #people: InstanceRows;
  /** Keys are `<room> <user>`. */
  readonly #rooms: InstanceRows;
  readonly #graceTimers = new Map<string, ReturnType<typeof setTimeout>>();
  #heartbeat: ReturnType<typeof setInterval> | null = null;

  constructor(
    private readonly sql: SqlClient,
    private readonly instance: string,
    private readonly graceMs = GRACE_MS,
  ) {
    this.#people = new InstanceRows((onlineIds, offlineIds) =>
      writePeople(sql, instance, onlineIds, offlineIds),
    );
    this.#rooms = new InstanceRows((openRooms, closedRooms) =>
      writeOpenRooms(sql, instance, openRooms.map(parseKey), closedRooms.map(parseKey)),
    );
  }

  async start(): Promise<void> {
    await this.#beat();
    this.#heartbeat = setInterval(() => {
      this.#beat().catch((error) =>
        log.warn("The heartbeat could not be written; retrying.", { error: String(error) }),
      );
    }, HEARTBEAT_MS);
  }

  /** Call when the user's first socket on this instance opens. */
  onConnect(userId: string): void {
    clearTimeout(this.#graceTimers.get(userId));
    this.#graceTimers.delete(userId);
    this.#people.add(userId);
  }

  /** Call when the user's last socket on this instance closes. */
  onDisconnect(userId: string): void {
    if (this.#graceTimers.has(userId)) return;
    const timer = setTimeout(() => {
      this.#graceTimers.delete(userId);
      this.#people.remove(userId);
    }, this.graceMs);
    this.#graceTimers.set(userId, timer);
  }

  /** Call when the first of the user's sockets on this instance opens the room. */
  onRoomOpen(userId: string, roomId: string): void {
    this.#rooms.add(`${roomId} ${userId}`);
  }

  /** Call when the last of the user's sockets on this instance leaves the room. Takes effect immediately. */
  onRoomClose(userId: string, roomId: string): void {
    this.#rooms.remove(`${roomId} ${userId}`);
  }

  /**
   * Ends the lease after the grace period. The next heartbeat of an instance then announces who has not
   * connected again.
   */
  async stop(): Promise<void> {
    if (this.#heartbeat) clearInterval(this.#heartbeat);
    for (const timer of this.#graceTimers.values()) clearTimeout(timer);
    await Promise.all([this.#people.stop(), this.#rooms.stop()]);
    const { sql, instance, graceMs } = this;
    const leftMs = LEASE_SECONDS * 1_000 - graceMs;
    await sql`
      with closed as (
        delete from open_rooms where instance_id = ${instance}
      )
      update instances set heartbeat_at = clock_timestamp() - ${leftMs} * interval '1 millisecond'
      where id = ${instance}`;
  }

  async #beat(): Promise<void> {
    const isNew = await renewLease(this.sql, this.instance);
    if (isNew) await Promise.all([this.#people.rewrite(), this.#rooms.rewrite()]);
  }
}

function parseKey(key: string) {
  const [roomId = "", userId = ""] = key.split(" ");
  return { roomId, userId };
}

const statusFields = (sql: SqlClient) => sql`'user_id', id, 'is_status', true`;

/** Records who came online or went offline on an instance. People who appear offline are not announced. */
async function writePeople(
  sql: SqlClient,
  instance: string,
  onlineIds: string[],
  offlineIds: string[],
): Promise<void> {
  await sql`
    with gone as (
      delete from presence where instance_id = ${instance} and user_id = any(${offlineIds}::uuid[])
    ), here as (
      insert into presence (user_id, instance_id)
      select user_id, ${instance}::uuid from unnest(${onlineIds}::uuid[]) as u(user_id)
      on conflict do nothing
    )
    ${recordVisits(sql, sql`select unnest(${offlineIds}::uuid[]) as user_id`)}`;
  // Read after that commit: who stops appearing offline later is announced by that change.
  await sql`
    select ${notifyInStatement(sql, "member_updated", statusFields(sql))}
    from users where id = any(${[...onlineIds, ...offlineIds]}::uuid[]) and not appear_offline`;
}

type OpenRoom = { roomId: string; userId: string };

async function writeOpenRooms(
  sql: SqlClient,
  instance: string,
  openRooms: OpenRoom[],
  closedRooms: OpenRoom[],
): Promise<void> {
  await sql`
    with closed as (
      delete from open_rooms
      where instance_id = ${instance} and (room_id, user_id) in (
        select * from unnest(
          ${closedRooms.map(({ roomId }) => roomId)}::uuid[], ${closedRooms.map(({ userId }) => userId)}::uuid[]))
    )
    insert into open_rooms (room_id, user_id, instance_id)
    select room_id, user_id, ${instance}::uuid
    from unnest(
      ${openRooms.map(({ roomId }) => roomId)}::uuid[], ${openRooms.map(({ userId }) => userId)}::uuid[]
    ) as o(room_id, user_id)
    on conflict do nothing`;
}

/**
 * Renews an instance's lease, and removes dead instances with their rows.
 * @returns true if the instance had no row: a crash of PostgreSQL empties UNLOGGED tables
 */
async function renewLease(sql: SqlClient, instance: string): Promise<boolean> {
  const [row] = await sql<{ is_new: boolean }[]>`
    with dead as (
      delete from instances
      where heartbeat_at < clock_timestamp() - ${LEASE_SECONDS} * interval '1 second'
        and id <> ${instance}
      returning id
    ), gone as (
      delete from presence where instance_id in (select id from dead) returning user_id
    ), visit as (${recordVisits(sql, sql`select distinct user_id from gone`)}), closed as (
      delete from open_rooms where instance_id in (select id from dead)
    ), notified as (
      select ${notifyInStatement(sql, "member_updated", statusFields(sql))}
      from users where id in (select user_id from gone) and not appear_offline
    ), beat as (
      insert into instances (id) values (${instance})
      on conflict (id) do update set heartbeat_at = clock_timestamp()
      returning xmax = 0 as is_new
    )
    select (select is_new from beat) as is_new, (select count(*) from notified) as notified`;
  return row?.is_new ?? false;
}

/** SQL that records the time of people's last connection, ordered by id to avoid deadlocks. */
function recordVisits(sql: SqlClient, people: Fragment): Fragment {
  return sql`
    insert into visits (user_id, ended_at)
    select user_id, clock_timestamp() from (${people}) p order by user_id
    on conflict (user_id) do update set ended_at = excluded.ended_at`;
}

const DELAY_MS = 100;
const RETRY_MS = 1_000;

/**
 * Maintains this instance's rows in a table. Changes are debounced, so that a row that is added and
 * removed right away is never written.
 */
export class InstanceRows {
  readonly #current = new Set<string>();
  readonly #written = new Set<string>();
  /** Keys whose last write failed, which may have been committed all the same. */
  readonly #uncertain = new Set<string>();
  readonly #changes = new Coalescer((keys: string[]) => this.#writeRows(keys), {
    delayMs: DELAY_MS,
  });
  /** Whether the table was emptied and no write has started since. */
  #isEmptied = false;

  /** @param write adds and removes rows; retried after a failure */
  constructor(private readonly write: (newKeys: string[], oldKeys: string[]) => Promise<void>) {}

  add(key: string): void {
    if (this.#current.has(key)) return;
    this.#current.add(key);
    this.#changes.add(key);
  }

  remove(key: string): void {
    if (this.#current.delete(key)) this.#changes.add(key);
  }

  /** Writes all rows again after the current write, because the table was emptied. */
  rewrite(): Promise<void> {
    this.#isEmptied = true;
    for (const key of this.#current) this.#changes.add(key);
    return this.#changes.flush();
  }

  /** Stops writing; resolves when the current write has ended. */
  stop(): Promise<void> {
    return this.#changes.stop();
  }

  async #writeRows(keys: string[]): Promise<void> {
    if (this.#isEmptied) this.#written.clear();
    this.#isEmptied = false;
    const changed = keys.filter(
      (key) => this.#uncertain.has(key) || this.#current.has(key) !== this.#written.has(key),
    );
    if (changed.length === 0) return;
    const newKeys = changed.filter((key) => this.#current.has(key));
    const oldKeys = changed.filter((key) => !this.#current.has(key));
    try {
      await this.write(newKeys, oldKeys);
      for (const key of newKeys) this.#written.add(key);
      for (const key of oldKeys) this.#written.delete(key);
      for (const key of changed) this.#uncertain.delete(key);
    } catch (error) {
      log.warn("Presence could not be written; retrying.", { error: String(error) });
      for (const key of changed) this.#uncertain.add(key);
      const retry = () => {
        for (const key of changed) this.#changes.add(key);
      };
      setTimeout(retry, RETRY_MS).unref();
    }
  }
}
