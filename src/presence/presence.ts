import type { SqlClient } from "../database/connect.ts";
import { getLogger } from "../platform/log.ts";
import { InstanceRows } from "./instance-rows.ts";
import { removeInstance, renewLease, writeOpenRooms, writePeople } from "./statements.ts";

const log = getLogger("presence");

const HEARTBEAT_MS = 5_000;
/** Without a heartbeat for this long, an instance is dead and its people are offline. */
export const LEASE_SECONDS = 20;
/** A reload or a short drop does not show as going offline. */
const GRACE_MS = 3_000;

/**
 * Records in the database who is connected to this instance, and which rooms they have open here. The
 * rows count as long as the instance has a heartbeat.
 */
export class Presence {
  readonly #people: InstanceRows;
  /** Keys are `<room> <user>`. */
  readonly #rooms: InstanceRows;
  readonly #leaving = new Map<string, ReturnType<typeof setTimeout>>();
  #heartbeat: ReturnType<typeof setInterval> | null = null;

  constructor(
    private readonly sql: SqlClient,
    private readonly instance: string,
  ) {
    this.#people = new InstanceRows((arrived, left) => writePeople(sql, instance, arrived, left));
    this.#rooms = new InstanceRows((opened, closed) =>
      writeOpenRooms(sql, instance, opened.map(parseKey), closed.map(parseKey)),
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

  /** Removes this instance and its rows, so that nobody waits for the lease to end. */
  async stop(): Promise<void> {
    if (this.#heartbeat) clearInterval(this.#heartbeat);
    for (const timer of this.#leaving.values()) clearTimeout(timer);
    await Promise.all([this.#people.stop(), this.#rooms.stop()]);
    await removeInstance(this.sql, this.instance);
  }

  async #beat(): Promise<void> {
    const isNew = await renewLease(this.sql, this.instance, LEASE_SECONDS);
    if (isNew) await Promise.all([this.#people.rewrite(), this.#rooms.rewrite()]);
  }
}

function parseKey(key: string) {
  const [roomId = "", userId = ""] = key.split(" ");
  return { roomId, userId };
}
