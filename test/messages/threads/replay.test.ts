import { afterAll, beforeAll, expect, test } from "bun:test";
import type { RoomEvent, ServerEvent } from "../../../src/wire/events.ts";
import { QUOTE_EXCERPT_LENGTH, ROOT_EXCERPT_LENGTH } from "../../../src/wire/limits.ts";
import { makeExcerpt } from "../../../src/wire/markdown/plain.ts";
import type { Message, Thread } from "../../../src/wire/models.ts";
import type { ThreadFollow } from "../../../src/wire/threads.ts";
import type { Client } from "../../support/client.ts";
import { seeded } from "../../support/soak.ts";
import type { TestSocket } from "../../support/socket.ts";
import { threadOf, threadsOf, unreadOf } from "../../support/threads.ts";
import { World } from "../../support/world.ts";

const EVENTS = 500;
const SEED = 20_261_122;

let world: World;
let room: string;
let owner: Client;
let people: Client[];
beforeAll(async () => {
  world = await World.start();
  const second = await world.secondInstance();
  const [ada, bob, cara] = (await Promise.all(
    ["ada", "bob", "cara"].map((name) => world.person(name)),
  )) as [Client, Client, Client];
  room = await world.room("mixed", ada, [bob, cara]);
  owner = ada;
  people = [ada, await world.signIn(bob.user, second), cara];
});
afterAll(() => world.stop());

type Mark = Pick<ThreadFollow, "read_seq" | "replied_seq">;
const UNFOLLOWED: ThreadFollow = { is_following: false, read_seq: null, replied_seq: 0 };

/** A mark after a reply of its owner, unless it has seen that one. */
function markAfter({ read_seq, replied_seq }: Mark, seq: number): Mark {
  if (seq <= replied_seq) return { read_seq, replied_seq };
  return { read_seq: Math.max(read_seq ?? 0, seq), replied_seq: seq };
}

/** What someone who applies the events of a room, and nothing else, knows of it. */
class Model {
  readonly messages = new Map<string, Message>();
  readonly follows = new Map<string, ThreadFollow>();
  seq = 0;

  constructor(private readonly me: string) {}

  apply(event: RoomEvent): void {
    expect(event.seq).toBe(this.seq + 1);
    this.seq = event.seq;
    switch (event.type) {
      case "message":
        this.#put(event.message);
        if (event.root_thread !== undefined) {
          this.#setThread(event.message.thread_id ?? "", event.root_thread);
        }
        return;
      case "message_update":
        this.#put(event.message);
        this.#show(event.message);
        return;
      case "message_delete":
        this.messages.delete(event.message_id);
        this.#lose(event.message_id);
        return;
      case "reaction":
        this.#change(event.message_id, { reactions: event.reactions });
        return;
      case "thread":
        this.#setThread(event.message_id, event.thread);
    }
  }

  /** What concerns oneself, in the order in which it was heard. */
  applyOwn(event: ServerEvent): void {
    if (event.type === "thread_read") {
      this.#mark(event.thread_id, event);
    }
    if (event.type === "thread_follow") {
      if (event.is_following) this.#mark(event.thread_id, event);
      else this.follows.set(event.thread_id, UNFOLLOWED);
    }
    if (event.type === "message" && event.message.author.id === this.me) {
      const id = event.message.thread_id ?? "";
      const response = this.follows.get(id);
      if (response) this.follows.set(id, { ...response, ...markAfter(response, event.seq) });
    }
  }

  #mark(threadId: string, mark: Mark): void {
    const { replied_seq = 0 } = this.follows.get(threadId) ?? {};
    this.follows.set(threadId, { is_following: true, ...markAfter(mark, replied_seq) });
  }

  #put(message: Message): void {
    this.messages.set(message.id, { ...message, client_id: null });
  }

  #change(id: string, values: Partial<Message>): void {
    const response = this.messages.get(id);
    if (response) this.messages.set(id, { ...response, ...values });
  }

  #setThread(rootId: string, thread: Thread | null): void {
    // With the thread ends what people follow of it, unless a new one has begun that is known already.
    const read = this.follows.get(rootId)?.read_seq ?? 0;
    if (thread === null && read < this.seq) this.follows.delete(rootId);
    this.#change(rootId, { thread });
    for (const { id, thread_id, root } of this.messages.values()) {
      if (thread_id !== rootId || !root) continue;
      this.#change(id, { root: { ...root, title: thread?.title ?? null } });
    }
  }

  /** An edited message, where others show it. */
  #show({ id, content, deleted_at }: Message): void {
    if (deleted_at) this.#lose(id);
    for (const { id: other, root, quote } of this.messages.values()) {
      if (root?.id === id) {
        this.#change(other, {
          root: { ...root, excerpt: makeExcerpt(content, ROOT_EXCERPT_LENGTH) },
        });
      }
      if (quote?.id === id && "author" in quote) {
        const excerpt = makeExcerpt(content, QUOTE_EXCERPT_LENGTH);
        this.#change(other, { quote: { ...quote, excerpt } });
      }
    }
  }

  /** A message that is gone, where others quote it. */
  #lose(id: string): void {
    for (const { id: other, quote } of this.messages.values()) {
      if (quote?.id === id) this.#change(other, { quote: { id, is_gone: true } });
    }
  }

  get history(): Message[] {
    return [...this.messages.values()].toSorted((a, b) => a.seq - b.seq);
  }

  repliesOf(rootId: string): Message[] {
    return this.history.filter(({ thread_id }) => thread_id === rootId);
  }

  /** What is unread for someone, from numbers of messages that are there. */
  unreadOf({ user }: Client): Record<string, number> {
    const counts: [string, number][] = [];
    for (const [id, { is_following, read_seq }] of this.follows) {
      const thread = this.messages.get(id)?.thread;
      if (!thread || thread.is_resolved || !is_following) continue;
      const news = this.repliesOf(id).filter(
        ({ seq, author }) => seq > (read_seq ?? 0) && author.id !== user.id,
      );
      if (news.length > 0) counts.push([id, Math.min(news.length, 100)]);
    }
    return Object.fromEntries(counts);
  }
}

/** All that the service has of the room, for someone who has just come. */
async function loadAfresh(who: Client) {
  const messages: Message[] = [];
  let before = "";
  do {
    const { body } = await who.get(`/api/rooms/${room}/messages?limit=200${before}`);
    messages.unshift(...body.items);
    before = body.has_more_before ? `&before=${body.items[0].id}` : "";
  } while (before !== "");
  // What is in a thread is the same for all: one of them opens each.
  const roots = messages.filter(({ thread }) => thread && who === owner);
  const threads = new Map<string, { root: Message; items: Message[]; follow: ThreadFollow }>();
  for (const { id } of roots) {
    const { root, items, follow } = await threadOf(who, { id }, "?limit=200");
    threads.set(id, { root, items, follow });
  }
  const list = await threadsOf(who, "?limit=200");
  return { messages, threads, list, unread: await unreadOf(who) };
}

/** One of many things that someone may do; what is refused is no event. */
function actOf(
  [who, socket]: [Client, TestSocket],
  ids: string[],
  random: () => number,
): () => Promise<unknown> {
  const any = () => ids[Math.floor(random() * ids.length)];
  // Mostly among the newest, so that threads grow.
  const recent = () => ids[Math.max(0, ids.length - 1 - Math.floor(random() * 8))] ?? any();
  const say = async (body: object) => {
    const answer = await who.post(`/api/rooms/${room}/messages`, body);
    if (answer.status !== 201) return;
    ids.push(answer.body.id);
    // Before anything else, as one who looks at the thread.
    await socket.next((event) => event.type === "message" && event.message.id === answer.body.id);
  };
  const at = (id = "") => `/api/messages/${id}`;
  const text = `**word** ${"w".repeat(Math.floor(random() * 100))} ${Math.floor(random() * 1e6)}`;
  const names = people.map(({ user }) => `@${user.username}`);
  const named = `${text} ${names[Math.floor(random() * names.length)]}`;
  const acts: [weight: number, act: () => Promise<unknown>][] = [
    [12, () => say({ content: random() < 0.2 ? named : text })],
    [32, () => say({ content: random() < 0.2 ? named : text, thread_id: recent() })],
    [6, () => say({ content: text, quote_id: any() })],
    [2, () => say({ content: text, thread_id: recent(), quote_id: any() })],
    [8, () => who.patch(at(any()), { content: text })],
    [12, () => who.delete(at(random() < 0.5 ? any() : recent()))],
    [5, () => who.post(`${at(any())}/reactions`, { emoji: "👍" })],
    [4, () => who.patch(`${at(any())}/thread`, { title: text.slice(0, 20) })],
    [4, () => who.patch(`${at(recent())}/thread`, { is_resolved: random() < 0.7 })],
    [4, () => who.put(`${at(recent())}/thread/follow`, { is_following: random() < 0.6 })],
    [5, () => who.post(`${at(recent())}/thread/read`, {})],
    [3, () => who.post(`${at(recent())}/thread/unread`, { message_id: recent() })],
    [1, () => who.post("/api/threads/read", {})],
  ];
  let point = random() * acts.reduce((sum, [weight]) => sum + weight, 0);
  for (const [weight, act] of acts) {
    point -= weight;
    if (point < 0) return act;
  }
  return say.bind(null, { content: text });
}

test(`${EVENTS} mixed events at two instances equal a fresh load: roots, threads, lists and counts`, async () => {
  const listening: [Client, TestSocket][] = [];
  for (const who of people) {
    const socket = await who.socket();
    await socket.join(room, 0);
    listening.push([who, socket]);
  }
  const ids: string[] = [];
  const random = seeded(SEED);
  const work = async (one: [Client, TestSocket]) => {
    for (let n = 0; n < EVENTS / people.length; n++) await actOf(one, ids, random)();
  };
  await Promise.all(listening.map(work));
  // What concerns oneself has no number, but comes in order: after this, all of it has come.
  const mark = await owner.say(room, "the last thread");
  await owner.say(room, "of all", { thread_id: mark.id });
  for (const [who, socket] of listening) {
    await who.put(`/api/messages/${mark.id}/thread/follow`, { is_following: who !== owner });
    await socket.next(
      (event) =>
        event.type === "thread_follow" &&
        event.thread_id === mark.id &&
        event.is_following === (who !== owner),
    );
  }
  const { body: log } = await owner.get(`/api/rooms/${room}`);
  expect(log.seq).toBeGreaterThan(EVENTS / 2);

  for (const [who, socket] of listening) {
    const model = new Model(who.user.id);
    const isLogged = (one: RoomEvent) => one.seq > model.seq && one.room_id === room;
    const isLast = (one: RoomEvent) => isLogged(one) && one.seq === log.seq;
    if (!socket.heard.some(isLast)) await socket.next(isLast as never);
    await socket.drain();
    for (const event of socket.heard) {
      if (event.type !== "joined" && isLogged(event)) model.apply(event);
      model.applyOwn(event);
    }
    const fresh = await loadAfresh(who);
    expect(model.history).toEqual(fresh.messages);
    for (const [id, { root, items }] of fresh.threads) {
      expect(root).toEqual(model.messages.get(id) as Message);
      expect(items).toEqual(model.repliesOf(id));
      expect(root.thread?.reply_count).toBe(items.length);
      expect(root.thread?.last_reply_seq).toBe(items.at(-1)?.seq as number);
    }
    const followed = [...model.follows].filter(
      ([id, { is_following }]) => is_following && model.messages.get(id)?.thread,
    );
    expect(fresh.list.map(({ root }) => root.id)).toEqual(
      followed
        .map(([id]) => `${model.messages.get(id)?.thread?.last_reply_at} ${id}`)
        .toSorted()
        .toReversed()
        .map((key) => key.split(" ")[1] ?? ""),
    );
    for (const { root, follow } of fresh.list) {
      expect(follow).toEqual(model.follows.get(root.id) as ThreadFollow);
      if (who === owner) expect(fresh.threads.get(root.id)?.follow).toEqual(follow);
    }
    expect(model.unreadOf(who)).toEqual(fresh.unread);
    // The same from the log, for one who was away all the time.
    const late = new Model(who.user.id);
    while (late.seq < log.seq) {
      const { body } = await who.get(`/api/rooms/${room}/changes?after=${late.seq}&limit=500`);
      for (const event of body.items) late.apply(event);
    }
    expect(late.history).toEqual(fresh.messages);
    socket.close();
  }
}, 240_000);
