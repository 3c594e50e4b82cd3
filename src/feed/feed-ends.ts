/** What a feed is connected with: the logs that it reads, and the receiver of what it publishes. */
import type { RoomEvent } from "../wire/events.ts";

/** Where the feed reads rooms' logs. */
export type FeedSource = {
  /** The rooms' events after these numbers, each room's oldest first, as everyone in it may see them. */
  readEvents(spans: Span[], limit: number): Promise<RoomEvent[]>;
  /** The last number of each of these rooms; rooms that do not exist are left out. */
  readPositions(roomIds: string[]): Promise<Map<string, number>>;
};

/** A part of a room's log: what comes after a number. */
export type Span = { roomId: string; after: number };

export type FeedSink = {
  /** Called once for each event of a followed room, in the order of its log. */
  publish(event: RoomEvent): void;
  /** A followed room was deleted. */
  removeRoom(roomId: string): void;
  /** A room that nobody here follows has grown to a number, by an event if it is known here. */
  noteUnfollowed(roomId: string, seq: number, event: RoomEvent | null): void;
};
