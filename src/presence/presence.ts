import type { SqlClient } from "../database/connect.ts";
import { notifyInStatement } from "../feed/signals.ts";
import { getLogger } from "../platform/log.ts";
import { GatheredRows } from "./gathered-rows.ts";

const log = getLogger("presence");

const HEARTBEAT_MS = 5_000;
/** An instance that has not been heard of for so long is dead, and its people are offline. */
export const LEASE_SECONDS = 20;
/** A reload or a short drop does not show as going away. */
const GRACE_MS = 3_000;

/**
 * Says in the database who is connected to this instance, and which rooms they have open here.
 * Writes are gathered for a moment; the rows live as long as the instance's heartbeat.
 */
export class Presence {
  readonly #people: GatheredRows;
  readonly #rooms: GatheredRows;
  readonly #leaving = new Map<string, ReturnType<typeof setTimeout>>();
  #heartbeat: ReturnType<typeof setInterval> | null = null;

  constructor(
    private readonly sql: SqlClient,
    private readonly instance: string,
  ) {
    this.#people = new GatheredRows((arrived, left) => this.#writePeople(arrived, left));
    this.#rooms = new GatheredRows((opened, closed) => this.#writeRooms(opened, closed));
  }

  async start(): Promise<void> {
    await this.#beat();
    this.#heartbeat = setInterval(() => {
      this.#beat().catch((error) => log.warn("No heartbeat.", { error: String(error) }));
    }, HEARTBEAT_MS);
  }

  /** The user's first socket on this instance is open. */
  connected(userId: string): void {
    clearTimeout(this.#leaving.get(userId));
    this.#leaving.delete(userId);
    this.#people.add(userId);
  }

  /** The user's last socket on this instance is closed. */
  disconnected(userId: string): void {
    if (this.#leaving.has(userId)) return;
    const timer = setTimeout(() => {
      this.#leaving.delete(userId);
      this.#people.remove(userId);
    }, GRACE_MS);
    this.#leaving.set(userId, timer);
  }

  /** The first of the user's sockets on this instance has opened the room. */
  opened(userId: string, roomId: string): void {
    this.#rooms.add(`${roomId} ${userId}`);
  }

  /** None of the user's sockets on this instance has the room open any more. There is no grace. */
  closed(userId: string, roomId: string): void {
    this.#rooms.remove(`${roomId} ${userId}`);
  }

  /** Takes this instance and its people out, so that nobody waits for the lease to end. */
  async stop(): Promise<void> {
    if (this.#heartbeat) clearInterval(this.#heartbeat);
    for (const timer of this.#leaving.values()) clearTimeout(timer);
    await Promise.all([this.#people.stop(), this.#rooms.stop()]);
    await this.sql`
      with gone as (
        delete from presence where instance_id = ${this.instance}
      ), closed as (
        delete from open_rooms where instance_id = ${this.instance}
      )
      delete from instances where id = ${this.instance}`;
  }

  /** Who appears offline comes and goes unannounced. */
  async #writePeople(arrived: string[], left: string[]): Promise<void> {
    await this.sql`
      with gone as (
        delete from presence where instance_id = ${this.instance} and user_id = any(${left}::uuid[])
      ), here as (
        insert into presence (user_id, instance_id)
        select user_id, ${this.instance}::uuid from unnest(${arrived}::uuid[]) as u(user_id)
        on conflict do nothing
      )
      select ${notifyInStatement(this.sql, "member_updated", this.sql`'user_id', id`)}
      from users where id = any(${[...arrived, ...left]}::uuid[]) and not appear_offline`;
  }

  async #writeRooms(opened: string[], closed: string[]): Promise<void> {
    const column = (keys: string[], at: 0 | 1) => keys.map((key) => key.split(" ")[at] as string);
    await this.sql`
      with closed as (
        delete from open_rooms
        where instance_id = ${this.instance} and (room_id, user_id) in (
          select * from unnest(${column(closed, 0)}::uuid[], ${column(closed, 1)}::uuid[]))
      )
      insert into open_rooms (room_id, user_id, instance_id)
      select room_id, user_id, ${this.instance}::uuid
      from unnest(${column(opened, 0)}::uuid[], ${column(opened, 1)}::uuid[]) as o(room_id, user_id)
      on conflict do nothing`;
  }

  /** Renews the lease, clears up after dead instances, and mends what a crash has emptied. */
  async #beat(): Promise<void> {
    const [row] = await this.sql<{ fresh: boolean; gone: string[] | null }[]>`
      with dead as (
        delete from instances
        where heartbeat_at < clock_timestamp() - ${LEASE_SECONDS} * interval '1 second'
          and id <> ${this.instance}
        returning id
      ), gone as (
        delete from presence where instance_id in (select id from dead) returning user_id
      ), closed as (
        delete from open_rooms where instance_id in (select id from dead)
      ), told as (
        select ${notifyInStatement(this.sql, "member_updated", this.sql`'user_id', id`)}
        from users where id in (select user_id from gone) and not appear_offline
      ), beat as (
        insert into instances (id) values (${this.instance})
        on conflict (id) do update set heartbeat_at = clock_timestamp()
        returning xmax = 0 as fresh
      )
      select (select fresh from beat) as fresh, (select count(*) from told) as told`;
    if (row?.fresh) await Promise.all([this.#people.rewrite(), this.#rooms.rewrite()]);
  }
}
