import type { Keywords } from "../activity/keywords.ts";
import type { Database } from "../database/connect.ts";
import type { Feed } from "../feed/feed.ts";
import type { Poster } from "../messages/post.ts";
import type { Metrics } from "../platform/metrics.ts";
import type { Presence } from "../presence/presence.ts";
import type { RoomEvent } from "../wire/events.ts";
import { publishAway } from "./away-events.ts";
import type { Directs } from "./directs.ts";
import { OpenDirects } from "./open-directs.ts";
import type { Sender } from "./sender.ts";
import { awayTopic, type Person, roomTopic, type Socket } from "./socket.ts";

/** What the sockets use of the rest of the service. */
export type SocketDeps = {
  database: Database;
  feed: Feed;
  hub: Hub;
  sender: Sender;
  directs: Directs;
  poster: Poster;
  keywords: Pick<Keywords, "forget">;
};

/** The sockets of this instance, and which rooms they have open. An event is one publish, never a loop. */
export class Hub {
  readonly openDirects: OpenDirects;

  /** Open sockets. */
  socketCount = 0;
  /** Rooms that sockets have open, counted per socket. */
  joinedCount = 0;
  /** The conversations that people have left while they had them open, and at which number. */
  readonly #left = new WeakMap<Person, Map<string, number>>();

  /** @param people those with an open socket here, by id: the hub alone changes them */
  constructor(
    readonly people: Map<string, Person>,
    private readonly sender: Sender,
    private readonly directs: Pick<Directs, "note">,
    private readonly presence: Pick<Presence, "opened" | "closed">,
    private readonly metrics: Pick<Metrics, "events" | "deliverSeconds">,
    private readonly feed: () => Pick<Feed, "unfollow">,
  ) {
    this.openDirects = new OpenDirects(feed);
  }

  addSocket(socket: Socket): Person {
    const id = socket.data.userId;
    const person = this.people.get(id) ?? {
      id,
      sockets: new Set(),
      rooms: new Map(),
      directs: null,
      open: null,
      changes: 0,
    };
    this.people.set(id, person);
    person.sockets.add(socket);
    this.socketCount += 1;
    return person;
  }

  /** @returns true if that was the person's last socket here */
  removeSocket(socket: Socket): boolean {
    const person = socket.data.person;
    if (!person?.sockets.delete(socket)) return false;
    this.socketCount -= 1;
    this.joinedCount -= socket.data.joined;
    // A closed socket has no subscriptions left, so ask for each room.
    for (const roomId of person.open ?? []) this.#reportIfClosed(person, roomId);
    for (const roomId of person.directs?.keys() ?? [])
      this.openDirects.removeIfClosed(person, roomId);
    if (person.sockets.size > 0) return false;
    this.feed().unfollow(person.rooms.keys());
    if (this.people.get(person.id) === person) this.people.delete(person.id);
    return true;
  }

  /**
   * Adds a room, which is followed already, to the person's.
   * @param seq the number of the room's log at which the person is a member
   */
  addRoom(person: Person, roomId: string, seq: number): void {
    person.changes += 1;
    person.rooms.set(roomId, seq);
    // A conversation that was made a room.
    this.openDirects.remove(person, roomId);
    for (const socket of person.sockets) {
      if (!socket.data.isGreeted || socket.isSubscribed(roomTopic(roomId))) continue;
      socket.subscribe(awayTopic(roomId));
    }
  }

  /** Records that the person is still, or again, in a room at a later number of its log. */
  confirmRoom(person: Person, roomId: string, seq: number): void {
    const known = person.directs?.has(roomId) ? person.directs : person.rooms;
    if (seq > (known.get(roomId) ?? seq)) known.set(roomId, seq);
  }

  subscribeToRooms(socket: Socket, person: Person): void {
    for (const roomId of person.rooms.keys()) socket.subscribe(awayTopic(roomId));
  }

  openRoom(socket: Socket, roomId: string): void {
    if (!socket.isSubscribed(roomTopic(roomId))) this.#countJoined(socket, 1);
    socket.unsubscribe(awayTopic(roomId));
    socket.subscribe(roomTopic(roomId));
    const { person } = socket.data;
    if (!person) return;
    person.open ??= new Set();
    person.open.add(roomId);
    this.presence.opened(person.id, roomId);
  }

  leaveRoom(socket: Socket, roomId: string): void {
    if (!socket.isSubscribed(roomTopic(roomId))) return;
    this.#countJoined(socket, -1);
    socket.unsubscribe(roomTopic(roomId));
    const { person } = socket.data;
    if (!person) return;
    if (person.rooms.has(roomId)) socket.subscribe(awayTopic(roomId));
    this.#reportIfClosed(person, roomId);
    this.openDirects.removeIfClosed(person, roomId);
  }

  /** Publishes a room's event, and takes the person that it removes out of the room. */
  publish(event: RoomEvent): void {
    const { room_id } = event;
    const text = JSON.stringify(event);
    this.metrics.events.inc({ type: event.type });
    this.sender.publish(roomTopic(room_id), text);
    if (event.type === "message") {
      const { created_at } = event.message;
      this.metrics.deliverSeconds.observe((Date.now() - Date.parse(created_at)) / 1_000);
    }
    if (this.openDirects.has(room_id)) {
      this.directs.note(room_id, event.seq, event);
      if (event.type === "member_removed") this.removeMember(event.user_id, room_id, event.seq);
      return;
    }
    publishAway(this.sender, event, text);
    if (event.type === "member_removed") this.removeMember(event.user_id, room_id, event.seq);
  }

  /**
   * Takes a removed member's sockets out of the room, synchronously.
   * @param seq the removal's number, if known; a person who came back after it stays
   */
  removeMember(userId: string, roomId: string, seq = Number.POSITIVE_INFINITY): void {
    const person = this.people.get(userId);
    const since = person?.rooms.get(roomId) ?? person?.directs?.get(roomId) ?? 0;
    if (!person || since >= seq) return;
    person.changes += 1;
    if (person.rooms.delete(roomId)) this.feed().unfollow([roomId]);
    else if (this.openDirects.remove(person, roomId)) this.#noteLeft(person, roomId, seq);
    else return;
    for (const socket of person.sockets) {
      if (socket.isSubscribed(roomTopic(roomId))) this.#countJoined(socket, -1);
      socket.unsubscribe(roomTopic(roomId));
      socket.unsubscribe(awayTopic(roomId));
    }
    this.#reportIfClosed(person, roomId);
    const room_seq = Number.isFinite(seq) ? seq : null;
    this.sender.sendToUser(userId, { type: "room_removed", room_id: roomId, room_seq });
  }

  #noteLeft(person: Person, roomId: string, seq: number): void {
    const left = this.#left.get(person) ?? new Map<string, number>();
    this.#left.set(person, left.set(roomId, seq));
  }

  /** Whether the person's sockets have already received that a conversation was left at this number. */
  knowsLeft(person: Person, roomId: string, seq: number): boolean {
    return this.#left.get(person)?.get(roomId) === seq;
  }

  /** Takes everyone out of a room that was deleted. */
  removeRoom(roomId: string): void {
    for (const person of this.people.values()) {
      const isIn = person.rooms.has(roomId) || person.directs?.has(roomId);
      if (isIn) this.removeMember(person.id, roomId);
    }
  }

  /** Reports that the person has closed the room, if none of the sockets has it open any more. */
  #reportIfClosed(person: Person, roomId: string): void {
    if ([...person.sockets].some((socket) => socket.isSubscribed(roomTopic(roomId)))) return;
    if (person.open?.delete(roomId)) this.presence.closed(person.id, roomId);
  }

  #countJoined(socket: Socket, by: 1 | -1): void {
    socket.data.joined += by;
    this.joinedCount += by;
  }
}
