import { useEffect, useState } from "preact/hooks";
import type { User } from "../../../src/wire/models.ts";
import { nameOf } from "../session/person.tsx";
import { store } from "../session/store.ts";
import type { Choice } from "../state/search/choices.ts";

type People = {
  /** The query that they match, without a leading `@`. */
  query: string;
  choices: (Choice & { kind: "person" })[];
};
const NOBODY: People = { query: "", choices: [] };

/** People whom the service finds by the beginning of their name. */
export function usePeople(query: string): People {
  const [people, setPeople] = useState(NOBODY);
  const text = query.trim().replace(/^@/, "");
  useEffect(() => {
    if (text === "") return setPeople(NOBODY);
    let isLatest = true;
    store.call("GET /api/users", { query: { query: text, limit: 8 } }).then(
      ({ items }) => isLatest && setPeople({ query: text, choices: items.map(toChoice) }),
      () => {},
    );
    return () => {
      isLatest = false;
    };
  }, [text]);
  return people;
}

const toChoice = (user: User) => ({
  kind: "person" as const,
  key: user.id,
  label: nameOf(user),
  hint: user.username,
  user,
});
