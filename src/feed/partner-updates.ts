import type { SqlClient } from "../database/connect.ts";
import { Coalescer } from "../platform/coalesce.ts";
import { getLogger } from "../platform/log.ts";
import { type MemberUpdate, type ReadPeople, type Seat, toMembers } from "./changed-members.ts";
import { findPartners, readConversations } from "./partner-statements.ts";

const log = getLogger("feed");

/** People whose conversations are read at once: each may have hundreds. */
const MAX_PEOPLE_PER_READ = 20;

/** Receives changes of partners. */
export type PartnerSink = {
  readPeople: ReadPeople;
  /** Whether someone has a socket here. */
  isHere(userId: string): boolean;
  /** Sends an update to these people's sockets, whatever they have open. */
  send(userIds: Iterable<string>, update: MemberUpdate): void;
};

/**
 * Sends changes of people to their partners with a socket here, in recent conversations, so that a
 * conversation is up to date before it is opened. Each conversation gets one event with all who
 * have changed.
 */
export class PartnerUpdates {
  readonly #updates = new Coalescer((userIds: string[]) => this.#publish(userIds), {
    maxItems: MAX_PEOPLE_PER_READ,
  });

  constructor(
    private readonly sql: SqlClient,
    private readonly sink: PartnerSink,
  ) {}

  /** Something that partners see of this user has changed. */
  add(userId: string): void {
    this.#updates.add(userId);
  }

  /** Drops what waits. */
  stop(): void {
    void this.#updates.stop();
  }

  async #publish(userIds: string[]): Promise<void> {
    try {
      await this.#send(userIds);
    } catch (error) {
      log.warn("Changes of people could not be sent to their partners.", { error: String(error) });
    }
  }

  async #send(userIds: string[]): Promise<void> {
    const { isHere } = this.sink;
    const due = new Map<string, { seats: Seat[]; partnerIds: Set<string> }>();
    for (const [userId, packed] of await readConversations(this.sql, userIds)) {
      for (const { partnerIds, ...seat } of findPartners(packed, isHere)) {
        const conversation = due.get(seat.roomId) ?? { seats: [], partnerIds: new Set() };
        conversation.seats.push({ userId, ...seat });
        for (const id of partnerIds) conversation.partnerIds.add(id);
        due.set(seat.roomId, conversation);
      }
    }
    if (due.size === 0) return;
    const changed = [...due.values()].flatMap(({ seats }) => seats.map(({ userId }) => userId));
    const people = await this.sink.readPeople([...new Set(changed)]);
    for (const [room_id, { seats, partnerIds }] of due) {
      const user_ids = seats.map(({ userId }) => userId);
      this.sink.send(partnerIds, { room_id, user_ids, members: toMembers(seats, people) });
    }
  }
}
