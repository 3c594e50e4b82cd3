import { useEffect, useState } from "preact/hooks";
import type { MyRoom, User } from "../../../src/wire/models.ts";
import { nameOf } from "../session/person.tsx";
import { store } from "../session/store.ts";
import { useReconnected } from "../session/use-pages.ts";
import { isRetryable } from "../state/load.ts";
import type { Choice } from "../state/search/choices.ts";

export type Found<Of extends Choice = Choice> = {
  /** The query that they match, without the leading `@` or `#`. */
  query: string;
  choices: Of[];
  hasFailed: boolean;
  retry(): void;
};

type Person = Choice & { kind: "person" };
type OpenRoom = Choice & { kind: "open-room" };

/** People whose name starts with the query, from the service. */
export const usePeople = (query: string): Found<Person> => useFound(query, findPeople);

/** Rooms that the reader may join and whose name contains the query, from the service. */
export const useOpenRooms = (query: string): Found<OpenRoom> => useFound(query, findOpenRooms);

const MAX_FOUND = 8;

async function findPeople(query: string): Promise<Person[]> {
  const { items } = await store.call("GET /api/users", { query: { query, limit: MAX_FOUND } });
  return items.map(toPersonChoice);
}

export function toPersonChoice(user: User): Person {
  return { kind: "person", key: user.id, label: nameOf(user), hint: user.username, user };
}

async function findOpenRooms(query: string): Promise<OpenRoom[]> {
  const filter = { query, joined: "false", limit: MAX_FOUND } as const;
  const { items } = await store.call("GET /api/rooms/browse", { query: filter });
  return items.map((room: MyRoom) => ({ kind: "open-room", key: room.id, label: room.name, room }));
}

function useFound<Of extends Choice>(
  query: string,
  find: (query: string) => Promise<Of[]>,
): Found<Of> {
  const [found, setFound] = useState<{ query: string; choices: Of[] }>({ query: "", choices: [] });
  const [hasFailed, setFailed] = useState(false);
  const [attempt, setAttempt] = useState(0);
  const text = query.trim().replace(/^[#@]/, "");
  useEffect(() => {
    setFailed(false);
    if (text === "") return setFound({ query: "", choices: [] });
    let isLatest = true;
    find(text).then(
      (choices) => isLatest && setFound({ query: text, choices }),
      (error: unknown) => isLatest && setFailed(isRetryable(error)),
    );
    return () => {
      isLatest = false;
    };
  }, [text, attempt]);
  const retry = () => setAttempt((n) => n + 1);
  useReconnected(hasFailed, retry);
  return { ...found, hasFailed, retry };
}
