import { useEffect, useState } from "preact/hooks";
import type { User } from "../../../src/wire/models.ts";
import { nameOf } from "../session/person.tsx";
import { store } from "../session/store.ts";
import type { Choice } from "../state/search/choices.ts";

/** People whom the service finds by the beginning of their name. */
export function usePeople(query: string): Choice[] {
  const [matches, setMatches] = useState<User[]>([]);
  const text = query.trim().replace(/^@/, "");
  useEffect(() => {
    if (text === "") return setMatches([]);
    let isLatest = true;
    store.call("GET /api/users", { query: { query: text, limit: 8 } }).then(
      ({ items }) => isLatest && setMatches(items),
      () => {},
    );
    return () => {
      isLatest = false;
    };
  }, [text]);
  return matches.map((user) => ({
    kind: "person",
    key: user.id,
    label: nameOf(user),
    hint: user.username,
    user,
  }));
}
