import { ApiError, type Api, type CallOptions } from "../../public/app/connection/api.ts";
import type { Clock } from "../../public/app/connection/clock.ts";
import { type AnyInput, fillRoute } from "../../src/snug-client/calls.ts";
import type { Message, MyRoom } from "../../src/wire/models.ts";

/** A call of the client that waits for the test to answer it. */
export type ScriptedCall = {
  path: string;
  body: unknown;
  signal: AbortSignal | undefined;
  /** Answers it, and lets the client take that over. */
  answer(body: unknown): Promise<void>;
  fail(error: ApiError): Promise<void>;
};

/** The client's API, whose answers come when and in the order that a test wants. */
export class ScriptedApi {
  readonly calls: ScriptedCall[] = [];
  /** False: an aborted call is answered all the same, as one whose answer has just arrived. */
  endsAborted = true;

  readonly api = { call: this.#call.bind(this) } as unknown as Api;

  get paths(): string[] {
    return this.calls.map(({ path }) => path);
  }

  #call(route: string, input: AnyInput = {}, { signal }: CallOptions = {}): Promise<unknown> {
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    signal?.addEventListener("abort", () => {
      if (this.endsAborted) reject(new ApiError("offline"));
    });
    this.calls.push({
      path: fillRoute(route, input).path,
      body: input.body,
      signal,
      answer: (body) => passTurn(() => resolve(body)),
      fail: (error) => passTurn(() => reject(error)),
    });
    return promise;
  }
}

/** Lets promises that are settled reach all that waits for them. */
export async function passTurn(work: () => void = () => {}): Promise<void> {
  work();
  await new Promise((resolve) => setImmediate(resolve));
}

/** A clock that a test moves. */
export class ScriptedClock implements Clock {
  #now = 0;
  readonly #timers = new Map<object, { at: number; run(): void }>();

  now(): number {
    return this.#now;
  }

  after(ms: number, run: () => void): () => void {
    const key = {};
    this.#timers.set(key, { at: this.#now + ms, run });
    return () => void this.#timers.delete(key);
  }

  /** Moves the time, and with it the timers: the device sleeps. */
  sleep(ms: number): void {
    this.#now += ms;
    for (const timer of this.#timers.values()) timer.at += ms;
  }

  /** Moves the time, and runs what is due by then. */
  pass(ms: number): Promise<void> {
    this.#now += ms;
    for (const [key, { at, run }] of this.#timers) {
      if (at > this.#now) continue;
      this.#timers.delete(key);
      run();
    }
    return passTurn();
  }
}

const author = { id: "ada", username: "ada", display_name: "Ada", avatar_url: null };
/** When the message or event of a number happened. */
export const timeOf = (seq: number) => new Date(seq * 1_000).toISOString();

/** A message as answers and events have it. */
export function makeMessage(seq: number, more: Partial<Message> = {}): Message {
  const message = {
    id: `message-${seq}`,
    seq,
    room_id: "room",
    content: `text ${seq}`,
    created_at: timeOf(seq),
    author,
    via: null,
    reactions: [],
    mentions: [],
    room_references: [],
    ...more,
  };
  return message as unknown as Message;
}

/** An API that answers these lists at once. */
export function withLists(lists: Record<string, unknown[]>, api: Api): Api {
  const call = (route: string, ...args: [never, never]) =>
    lists[route]
      ? Promise.resolve({ items: lists[route], next: null })
      : api.call(route as never, ...args);
  return { call } as unknown as Api;
}

/** A room of mine at a number of its log, all read. */
export function makeRoom(
  id: string,
  seq = 1,
  more: Partial<MyRoom> = {},
): MyRoom & { kind: "room" } {
  const mark = { last_read_at: timeOf(seq), last_read_seq: seq, unread: false, mention_count: 0 };
  const room = {
    kind: "room",
    id,
    seq,
    name: id,
    owner: author,
    last_message_at: null,
    member_count: 2,
    membership: { ...mark, role: "member", notify: "all", version: 1 },
    ...more,
  };
  return room as unknown as MyRoom & { kind: "room" };
}
