import type { Scheduled } from "../wire/scheduled-messages.ts";
import type { Direct, Message, MyRoom, SearchResults } from "../wire/models.ts";
import {
  type ResponseOf,
  type AnyInput,
  type CallArguments,
  type CallInput,
  fillRoute,
  type RouteName,
} from "./calls.ts";
import type { Problem } from "../wire/codes.ts";

type Post = CallInput<"POST /api/rooms/:id/messages">["body"];

const MAX_POST_ATTEMPTS = 6;

/** The bot's REST API, which needs no connection. */
export class SnugApi {
  protected readonly options: Account;

  constructor({ url, token }: Account) {
    this.options = { url: url.replace(/\/$/, ""), token };
  }

  rooms(): Promise<MyRoom[]> {
    return readAll((cursor) => this.call("GET /api/rooms", { query: { limit: 200, cursor } }));
  }

  /** The bot's direct conversations, the last active first. A conversation is joined by its id. */
  directs(): Promise<Direct[]> {
    return readAll((cursor) => this.call("GET /api/direct", { query: { limit: 200, cursor } }));
  }

  /**
   * The direct conversation with a person who is in a room with the bot. It is created on first use,
   * at most 20 times an hour.
   * @throws SnugError `user_not_found`, `rate_limited`
   */
  direct(userId: string): Promise<Direct> {
    return this.call("POST /api/direct", { body: { user_ids: [userId] } });
  }

  /**
   * Posts a message. If no response comes, it retries with the same `client_id`, so the message is
   * posted once.
   * @param fields other fields of a message, such as `thread_id` or `quote_id`
   * @throws SnugError
   */
  async post(
    roomId: string,
    content: string,
    fields: Omit<Post, "content"> = {},
  ): Promise<Message> {
    const body = { client_id: crypto.randomUUID(), ...fields, content };
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await this.call("POST /api/rooms/:id/messages", { params: { id: roomId }, body });
      } catch (error) {
        const canRetry = !(error instanceof SnugError) || error.code === "unavailable";
        if (!canRetry || attempt >= MAX_POST_ATTEMPTS) throw error;
        const pauseMs = 250 * 2 ** attempt * (0.5 + Math.random());
        await new Promise((resolve) => setTimeout(resolve, pauseMs));
      }
    }
  }

  /**
   * Replies to a message: in the room with a mention of its author, in its thread, or with a quote.
   * @throws SnugError
   */
  reply(
    message: Pick<Message, "id" | "room_id" | "author">,
    content: string,
    { thread = false, quote = false }: { thread?: boolean; quote?: boolean } = {},
  ): Promise<Message> {
    const fields = {
      ...(thread && { thread_id: message.id }),
      ...(quote && { quote_id: message.id }),
    };
    const text = thread || quote ? content : `@${message.author.username} ${content}`;
    return this.post(message.room_id, text, fields);
  }

  /**
   * Schedules a message for a time between 1 minute and 1 year from now. It is posted if the bot is
   * still allowed to post then.
   * @param zone the IANA time zone in which the time was chosen
   * @throws SnugError
   */
  schedule(roomId: string, content: string, at: Date, zone = "UTC"): Promise<Scheduled> {
    const client_id = crypto.randomUUID();
    const body = { room_id: roomId, content, send_at: at.toISOString(), zone, client_id };
    return this.call("POST /api/scheduled", { body });
  }

  async react(messageId: string, emoji: string): Promise<void> {
    await this.call("POST /api/messages/:id/reactions", {
      params: { id: messageId },
      body: { emoji },
    });
  }

  /**
   * Searches the messages of the bot's rooms, the newest first.
   * @param query the search text, and other parameters of the route, such as `room_id` or `cursor`
   * @throws SnugError `empty_query`, `query_too_wide`, `search_busy` and others
   */
  search(
    q: string,
    query: CallInput<"GET /api/search/messages">["query"] = {},
  ): Promise<SearchResults> {
    return this.call("GET /api/search/messages", { query: { ...query, q } });
  }

  /** Sends a GET request to any path. `call` has typed params and responses. */
  get<T>(path: string): Promise<T> {
    return this.call("GET", path);
  }

  /**
   * Calls a route of the REST API by its name, which determines the types of params, query, body
   * and response. A response that is not JSON is a `Blob`.
   * @throws SnugError, or the error of `fetch`
   */
  call<Name extends RouteName>(
    route: Name,
    ...input: CallArguments<Name>
  ): Promise<ResponseOf<Name>>;
  /** Calls any path. @throws SnugError, or the error of `fetch` */
  call<T>(method: string, path: string, body?: object): Promise<T>;
  call(target: string, pathOrInput: string | AnyInput = {}, body?: object): Promise<unknown> {
    if (typeof pathOrInput === "string") return callRest(this.options, target, pathOrInput, body);
    const { method, path } = fillRoute(target, pathOrInput);
    return callRest(this.options, method, path, pathOrInput.body);
  }
}

/** A refusal by the service. Programs should use `code`; `message` is for people. */
export class SnugError extends Error {
  override readonly name = "SnugError";

  constructor(readonly problem: Pick<Problem, "code" | "detail"> & { status?: number }) {
    super(problem.detail);
  }

  get code(): string {
    return this.problem.code;
  }
}

export type Account = { url: string; token: string };

/**
 * Calls the REST API. Returns a `Blob` for a response that is not JSON, and undefined for one without a
 * body.
 * @throws SnugError, or the error of `fetch`; an `Error` for a response that is not from the service
 */
async function callRest(
  { url, token }: Account,
  method: string,
  path: string,
  body?: object,
): Promise<unknown> {
  const headers = new Headers({ authorization: `Bearer ${token}` });
  const isForm = body instanceof FormData;
  // fetch sets the content type of a form, including the boundary.
  if (body && !isForm) headers.set("content-type", "application/json");
  const payload = isForm ? body : body && JSON.stringify(body);
  const answer = await fetch(url + path, { method, headers, body: payload });
  if (!answer.headers.get("content-type")?.includes("json")) {
    // A proxy's error page, for example.
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${answer.statusText}`);
    return answer.status === 204 ? undefined : answer.blob();
  }
  const value = await answer.json();
  if (!answer.ok) throw new SnugError(value as Problem);
  return value;
}

async function readAll<T>(
  read: (cursor: string | undefined) => Promise<{ items: T[]; next: string | null }>,
): Promise<T[]> {
  const items: T[] = [];
  let cursor: string | undefined;
  do {
    const page = await read(cursor);
    items.push(...page.items);
    cursor = page.next ?? undefined;
  } while (cursor !== undefined);
  return items;
}
