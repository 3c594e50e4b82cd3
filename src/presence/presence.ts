import type { HandSql } from "../database/connect.ts";
import { getLogger } from "../platform/log.ts";

const log = getLogger("presence");

const HEARTBEAT_MS = 5_000;
/** An instance that has not been heard of for so long is dead, and its people are offline. */
export const LEASE_SECONDS = 20;
/** A reload or a short drop does not show as going away. */
const GRACE_MS = 3_000;
const GATHER_MS = 100;

/**
 * Says in the database who is connected to this instance. Writes are gathered for a moment; the
 * rows live as long as the instance's heartbeat.
 */
export class Presence {
  readonly #connected = new Set<string>();
  readonly #leaving = new Map<string, ReturnType<typeof setTimeout>>();
  readonly #written = new Set<string>();
  #changed = new Set<string>();
  #flushTimer: ReturnType<typeof setTimeout> | null = null;
  #heartbeat: ReturnType<typeof setInterval> | null = null;
  #flushing: Promise<void> = Promise.resolve();

  constructor(
    private readonly sql: HandSql,
    private readonly instance: string,
  ) {}

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
    if (this.#connected.has(userId)) return;
    this.#connected.add(userId);
    this.#change(userId);
  }

  /** The user's last socket on this instance is closed. */
  disconnected(userId: string): void {
    if (this.#leaving.has(userId)) return;
    const timer = setTimeout(() => {
      this.#leaving.delete(userId);
      this.#connected.delete(userId);
      this.#change(userId);
    }, GRACE_MS);
    this.#leaving.set(userId, timer);
  }

  /** Takes this instance and its people out, so that nobody waits for the lease to end. */
  async stop(): Promise<void> {
    if (this.#heartbeat) clearInterval(this.#heartbeat);
    if (this.#flushTimer) clearTimeout(this.#flushTimer);
    for (const timer of this.#leaving.values()) clearTimeout(timer);
    await this.#flushing;
    await this.sql`
      with gone as (delete from presence where instance_id = ${this.instance})
      delete from instances where id = ${this.instance}`;
  }

  #change(userId: string): void {
    this.#changed.add(userId);
    this.#flushTimer ??= setTimeout(() => {
      this.#flushTimer = null;
      this.#flushing = this.#flushing.then(() => this.#flush());
    }, GATHER_MS);
  }

  async #flush(): Promise<void> {
    const users = [...this.#changed];
    this.#changed = new Set();
    const arrived = users.filter((id) => this.#connected.has(id) && !this.#written.has(id));
    const left = users.filter((id) => !this.#connected.has(id) && this.#written.has(id));
    if (arrived.length + left.length === 0) return;
    try {
      await this.#write(arrived, left);
      for (const id of arrived) this.#written.add(id);
      for (const id of left) this.#written.delete(id);
    } catch (error) {
      // The heartbeat writes all of them again.
      log.warn("Presence could not be written.", { error: String(error) });
    }
  }

  async #write(arrived: string[], left: string[]): Promise<void> {
    await this.sql`
      with gone as (
        delete from presence where instance_id = ${this.instance} and user_id = any(${left}::uuid[])
      ), here as (
        insert into presence (user_id, instance_id)
        select user_id, ${this.instance}::uuid from unnest(${arrived}::uuid[]) as u(user_id)
        on conflict do nothing
      )
      select pg_notify('snug_signals', json_build_object('kind', 'member_updated', 'user_id', u)::text)
      from unnest(${[...arrived, ...left]}::uuid[]) as c(u)`;
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
      ), told as (
        select pg_notify('snug_signals', json_build_object('kind', 'member_updated', 'user_id', user_id)::text)
        from (select distinct user_id from gone) as g
      ), beat as (
        insert into instances (id) values (${this.instance})
        on conflict (id) do update set heartbeat_at = clock_timestamp()
        returning xmax = 0 as fresh
      )
      select (select fresh from beat) as fresh, (select count(*) from told) as told`;
    if (row?.fresh && this.#written.size > 0) await this.#write([...this.#written], []);
  }
}
