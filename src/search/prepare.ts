import type { SqlClient } from "../database/connect.ts";
import { requireMessage } from "../messages/access.ts";
import { decodeIdCursor } from "../platform/input/cursor.ts";
import { makeFieldRefusal, Refusal } from "../platform/refusal.ts";
import { parseTime } from "../platform/input/time.ts";
import { requireMembership } from "../rooms/access.ts";
import type { SearchMessagesQuery } from "../wire/queries.ts";
import { parseQuery, type SearchPart } from "../wire/search.ts";
import { addAuthor, compileQuery, type Names, type Plan } from "./compile.ts";
import {
  type NamedPerson,
  readNamedPeople,
  readSearchedRooms,
  type SearchedRoom,
} from "./query.ts";

export type PreparedSearch = {
  plan: Plan;
  /** The viewer's rooms to search. */
  rooms: SearchedRoom[];
  /** The root of the only thread to search. */
  threadId: string | null;
  cursor: string | null;
  sort: SearchMessagesQuery["sort"];
  limit: number;
};

/** Validates a search and resolves the rooms and people in it. @throws as `searchMessages` */
export async function prepareSearch(
  sql: SqlClient,
  viewerId: string,
  query: SearchMessagesQuery,
): Promise<PreparedSearch> {
  const { parts, problem } = parseQuery(query.q ?? "");
  if (problem) {
    const { code, detail } = problem;
    throw new Refusal(code, detail, { errors: [{ path: "/q", message: detail }] });
  }
  const { sort, limit } = query;
  const cursor = decodeIdCursor(query.cursor);
  if (cursor !== null && sort === "relevance")
    throw makeFieldRefusal("/cursor", "Results by relevance have only one page.");
  const [viewersRooms, people] = await Promise.all([
    readSearchedRooms(sql, viewerId),
    readNamedPeople(sql, usernamesIn(parts), [viewerId, query.author_id ?? viewerId]),
  ]);
  const plan = compileQuery(
    allParts(parts, query),
    namesFor(viewerId, query, viewersRooms, people),
  );
  addParameters(plan, query, people);
  if (!plan.isPositive) throw makeUnboundedRefusal(plan, parts);
  if (query.room_id !== undefined) {
    // Refuses a room that the viewer is not in.
    await requireMembership(sql, viewerId, query.room_id, "member");
  }
  const thread =
    query.thread_id === undefined ? null : await requireMessage(sql, viewerId, query.thread_id);
  const rooms = viewersRooms.filter(
    ({ id }) =>
      (thread === null || id === thread.room_id) &&
      (query.room_id === undefined || id === query.room_id) &&
      (plan.roomIds?.has(id) ?? true) &&
      !plan.excludedRoomIds.has(id),
  );
  const threadId = thread && (thread.thread_id ?? thread.id);
  return { plan, rooms, threadId, cursor, sort, limit };
}

/** The parts of the query, including those given as separate parameters. */
function allParts(parts: SearchPart[], { has = [] }: SearchMessagesQuery): SearchPart[] {
  const flags = has.map((value): SearchPart => {
    return { kind: "filter", source: `has:${value}`, isNegated: false, name: "has", value };
  });
  return [...parts, ...flags];
}

function addParameters(plan: Plan, query: SearchMessagesQuery, people: NamedPerson[]): void {
  const { room_id, author_id, thread_id, after, before } = query;
  if (after !== undefined) plan.after = Math.max(plan.after, parseTime(after, "/after").getTime());
  if (before !== undefined) {
    plan.before = Math.min(plan.before, parseTime(before, "/before").getTime());
  }
  if (author_id !== undefined) {
    addAuthor(
      plan,
      people.filter(({ id }) => id === author_id),
    );
  }
  const bounds = [room_id, thread_id, after, before];
  if (bounds.some((value) => value !== undefined)) plan.isPositive = true;
}

function usernamesIn(parts: SearchPart[]): string[] {
  return parts.flatMap((part) =>
    part.kind === "filter" && (part.name === "from" || part.name === "mentions")
      ? [part.value.toLowerCase()]
      : [],
  );
}

function namesFor(
  viewerId: string,
  { room_id }: SearchMessagesQuery,
  rooms: SearchedRoom[],
  people: NamedPerson[],
): Names {
  const viewer = people.find(({ id }) => id === viewerId);
  return {
    viewer: { id: viewerId, number: viewer?.number ?? 0 },
    self: `@${viewer?.username}`,
    people: new Map(people.map((person) => [person.username, person])),
    rooms: new Map(rooms.map(({ id, name, partner }) => [name ?? `@${partner}`, id])),
    currentRoomId: room_id ?? null,
  };
}

function makeUnboundedRefusal(plan: Plan, parts: SearchPart[]): Refusal {
  const hasNegation = parts.some(({ isNegated }) => isNegated);
  const [code, message] =
    hasNegation && plan.requiredTerms.length === 0
      ? (["query_too_wide", "Say what the messages have, not only what they do not have."] as const)
      : (["empty_query", "Write a word to search for, or a filter such as from:ada."] as const);
  return new Refusal(code, message, { errors: [{ path: "/q", message }] });
}
