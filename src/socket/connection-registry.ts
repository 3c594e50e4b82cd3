import type { Feed } from "../feed/feed.ts";
import type { Metrics } from "../platform/metrics.ts";
import type { Presence } from "../presence/presence.ts";
import type { RoomEvent } from "../wire/events.ts";
import type { Broadcaster } from "./broadcaster.ts";
import { awayTopicOf, type Person, roomTopic, type Socket } from "./socket.ts";

type FollowedConversation = {
  /** The members as of the last published event. */
  memberIds: Set<string>;
  /** When an event was last published to a member here, in milliseconds. */
  activeAt: number;
};

/** The people and sockets that are connected to this instance, and which rooms they follow and have open. */
export class ConnectionRegistry {
  /** The followed rooms that are conversations, by id. */
  readonly conversations: ReadonlyMap<string, FollowedConversation>;
  readonly #conversations = new Map<string, FollowedConversation>();

  socketCount = 0;
  /** A room counts once for each socket that has it open. */
  joinedCount = 0;
  /** The conversations that people were removed from, and the numbers of the removals. */
  readonly #removals = new WeakMap<Person, Map<string, number>>();

  /** @param people everyone with an open socket here, by id. Only the registry changes it. */
  constructor(
    readonly people: Map<string, Person>,
    private readonly broadcaster: Broadcaster,
    private readonly presence: Pick<Presence, "onRoomOpen" | "onRoomClose">,
    private readonly metrics: Pick<Metrics, "events" | "deliverSeconds">,
    private readonly feed: () => Pick<Feed, "follow" | "unfollow">,
  ) {
    this.conversations = this.#conversations;
  }

  addSocket(socket: Socket): Person {
    const { id } = socket.data;
    const person = this.people.get(id) ?? {
      id,
      sockets: new Set(),
      rooms: new Map(),
      formerConversations: new Set(),
      open: null,
      tail: Promise.resolve(),
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
    this.joinedCount -= socket.data.openRoomCount;
    // A closed socket has no subscriptions, so each room is checked.
    for (const roomId of person.open ?? []) this.#reportIfClosed(person, roomId);
    if (person.sockets.size > 0) return false;
    this.feed().unfollow(person.rooms.keys());
    if (this.people.get(person.id) === person) this.people.delete(person.id);
    return true;
  }

  /**
   * Adds a room that the feed follows to the person's rooms.
   * @param seq the number of the room's log at which the person is a member
   */
  addRoom(person: Person, roomId: string, seq: number): void {
    person.changes += 1;
    person.rooms.set(roomId, seq);
    for (const socket of person.sockets) {
      if (!socket.data.isGreeted || socket.isSubscribed(roomTopic(roomId))) continue;
      socket.subscribe(awayTopicOf(socket, roomId));
    }
  }

  /** Records that the person is still a member at a later number of the room's log. */
  confirmRoom(person: Person, roomId: string, seq: number): void {
    if (seq > (person.rooms.get(roomId) ?? seq)) person.rooms.set(roomId, seq);
  }

  subscribeToRooms(socket: Socket, person: Person): void {
    for (const roomId of person.rooms.keys()) socket.subscribe(awayTopicOf(socket, roomId));
  }

  openRoom(socket: Socket, roomId: string): void {
    if (!socket.isSubscribed(roomTopic(roomId))) this.#countJoined(socket, 1);
    socket.unsubscribe(awayTopicOf(socket, roomId));
    socket.subscribe(roomTopic(roomId));
    const { person } = socket.data;
    if (!person) return;
    person.open ??= new Set();
    person.open.add(roomId);
    this.presence.onRoomOpen(person.id, roomId);
  }

  leaveRoom(socket: Socket, roomId: string): void {
    if (!socket.isSubscribed(roomTopic(roomId))) return;
    this.#countJoined(socket, -1);
    socket.unsubscribe(roomTopic(roomId));
    const { person } = socket.data;
    if (!person) return;
    if (person.rooms.has(roomId)) socket.subscribe(awayTopicOf(socket, roomId));
    this.#reportIfClosed(person, roomId);
  }

  /** Publishes a room's event, then removes the person whom it removes. */
  publish(event: RoomEvent): void {
    const { room_id } = event;
    this.metrics.events.inc({ type: event.type });
    if (event.type === "message") {
      const { created_at } = event.message;
      this.metrics.deliverSeconds.observe((Date.now() - Date.parse(created_at)) / 1_000);
    }
    const conversation = this.#conversations.get(room_id);
    if (conversation) this.#admitMembers(conversation, event);
    this.broadcaster.publish(event, conversation ? "direct" : "room");
    if (event.type === "member_removed") this.removeMember(event.user_id, room_id, event.seq);
    if (event.type === "room_updated") this.endConversation(room_id);
  }

  /**
   * Removes a person and their sockets from a room, in the same turn.
   * @param seq the removal's number: a person whose membership is newer stays
   */
  removeMember(userId: string, roomId: string, seq = Number.POSITIVE_INFINITY): void {
    const person = this.people.get(userId);
    this.#conversations.get(roomId)?.memberIds.delete(userId);
    const since = person?.rooms.get(roomId) ?? 0;
    if (!person || since >= seq) return;
    person.changes += 1;
    if (!person.rooms.delete(roomId)) return;
    person.formerConversations.delete(roomId);
    this.feed().unfollow([roomId]);
    if (this.#conversations.has(roomId)) {
      const removals = this.#removals.get(person) ?? new Map<string, number>();
      this.#removals.set(person, removals.set(roomId, seq));
    }
    for (const socket of person.sockets) {
      if (socket.isSubscribed(roomTopic(roomId))) this.#countJoined(socket, -1);
      socket.unsubscribe(roomTopic(roomId));
      socket.unsubscribe(awayTopicOf(socket, roomId));
    }
    this.#reportIfClosed(person, roomId);
    const room_seq = Number.isFinite(seq) ? seq : null;
    this.broadcaster.sendToUser(userId, { type: "room_removed", room_id: roomId, room_seq });
  }

  /** Whether the person's sockets have received the removal with this number. */
  wasRemoved(person: Person, roomId: string, seq: number): boolean {
    return this.#removals.get(person)?.get(roomId) === seq;
  }

  removeRoom(roomId: string): void {
    for (const person of this.people.values()) {
      if (person.rooms.has(roomId)) this.removeMember(person.id, roomId);
    }
    this.endConversation(roomId);
  }

  /**
   * Follows a conversation for its members who are connected here, if there are any.
   * @param seq the number of its log at which these are its members
   * @param position the last number that is not published
   */
  followConversation(roomId: string, memberIds: string[], seq: number, position: number): void {
    if (this.#conversations.has(roomId) || !memberIds.some((id) => this.people.has(id))) return;
    const id = this.feed().follow(roomId, position);
    const conversation = { memberIds: new Set(memberIds), activeAt: Date.now() };
    this.#conversations.set(id, conversation);
    for (const memberId of memberIds) {
      const person = this.people.get(memberId);
      if (person) this.admitToConversation(person, id, seq);
    }
  }

  /**
   * Adds a followed conversation to a person's rooms, unless it is one of them.
   * @param seq the number of its log at which the person is a member
   */
  admitToConversation(person: Person, roomId: string, seq: number): void {
    const conversation = this.#conversations.get(roomId);
    if (!conversation || person.rooms.has(roomId) || person.sockets.size === 0) return;
    conversation.memberIds.add(person.id);
    this.addRoom(person, this.feed().follow(roomId, seq), seq);
  }

  /** Adds members who connected after the conversation was followed, before an event is published. */
  #admitMembers(conversation: FollowedConversation, event: RoomEvent): void {
    if (event.type === "member_added") conversation.memberIds.add(event.user_id);
    // Someone who is removed must not be admitted by the event that removes them.
    if (event.type === "member_removed") conversation.memberIds.delete(event.user_id);
    for (const id of conversation.memberIds) {
      const person = this.people.get(id);
      if (!person) continue;
      conversation.activeAt = Date.now();
      this.admitToConversation(person, event.room_id, event.seq);
    }
  }

  /** Treats a conversation as a room from now on. The people who are in it still follow it. */
  endConversation(roomId: string): void {
    const conversation = this.#conversations.get(roomId);
    if (!conversation) return;
    this.#conversations.delete(roomId);
    this.feed().unfollow([roomId]);
    for (const id of conversation.memberIds) {
      const person = this.people.get(id);
      if (!person) continue;
      // Lists of rooms that were read earlier do not contain this room.
      person.changes += 1;
      if (person.rooms.has(roomId)) person.formerConversations.add(roomId);
    }
  }

  /**
   * Stops following a conversation once all of its members have disconnected, or once it has had no
   * events since `before`, unless someone here has it open.
   */
  forgetConversations(before: number): void {
    for (const [roomId, { memberIds, activeAt }] of this.#conversations) {
      const isConnected = [...memberIds].some((id) => this.people.has(id));
      if (isConnected && (activeAt >= before || this.broadcaster.isOpen(roomId))) continue;
      for (const id of memberIds) {
        const person = this.people.get(id);
        if (!person?.rooms.delete(roomId)) continue;
        this.feed().unfollow([roomId]);
        for (const socket of person.sockets) socket.unsubscribe(awayTopicOf(socket, roomId));
      }
      this.endConversation(roomId);
    }
  }

  /** Reports that the person has closed the room, unless another socket has it open. */
  #reportIfClosed(person: Person, roomId: string): void {
    if ([...person.sockets].some((socket) => socket.isSubscribed(roomTopic(roomId)))) return;
    if (person.open?.delete(roomId)) this.presence.onRoomClose(person.id, roomId);
  }

  #countJoined(socket: Socket, by: 1 | -1): void {
    socket.data.openRoomCount += by;
    this.joinedCount += by;
  }
}
