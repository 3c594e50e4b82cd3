import { useEffect, useState } from "preact/hooks";
import type { User } from "../../../src/wire/models.ts";
import { nameOf } from "../session/person.tsx";
import { store } from "../session/store.ts";
import type { Choice } from "../state/search/choices.ts";

/** People whom the service finds by the beginning of their name. */
export function usePeople(query: string): Choice[] {
  const [found, setFound] = useState<User[]>([]);
  const wanted = query.trim().replace(/^@/, "");
  useEffect(() => {
    if (wanted === "") return setFound([]);
    let isLatest = true;
    store.call("GET /api/users", { query: { query: wanted, limit: 8 } }).then(
      ({ items }) => isLatest && setFound(items),
      () => {},
    );
    return () => {
      isLatest = false;
    };
  }, [wanted]);
  return found.map((user) => ({
    kind: "person",
    key: user.id,
    label: nameOf(user),
    hint: user.username,
    user,
  }));
}
