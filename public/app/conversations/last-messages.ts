import { useEffect, useMemo, useState } from "preact/hooks";
import type { Direct } from "../../../src/wire/models.ts";
import { nameOf } from "../session/person.tsx";
import { store } from "../session/store.ts";
import type { DirectRoom } from "../state/model/conversation.ts";
import { Load } from "../state/load.ts";
import { t } from "../words/translate.ts";

/** The largest page of the service; older conversations show no text. */
const PAGE_SIZE = 200;

/**
 * The beginning of each conversation's last message, by the conversation's id: loaded for the list that
 * shows it, and again after a change in one of them.
 */
export function useLastMessages(list: DirectRoom[]): Map<string, string> {
  const [last, setLast] = useState(new Map<string, string>());
  const load = useMemo(
    () =>
      new Load({
        clock: store.clock,
        fetch: (signal) =>
          store.call(
            "GET /api/direct",
            { query: { last_message: "true", limit: PAGE_SIZE } },
            { signal },
          ),
        land: ({ items }) => setLast(new Map(items.map((direct) => [direct.id, describe(direct)]))),
      }),
    [],
  );
  useEffect(() => () => load.cancel(), []);
  const changes = list.map(({ id, seq }) => `${id} ${seq}`).join();
  useEffect(() => load.ask(), [changes]);
  return last;
}

function describe({ kind, members, last_message }: Direct): string {
  if (!last_message) return "";
  const { author_id, excerpt } = last_message;
  const text = excerpt || t("pin.no-text");
  if (kind === "self") return text;
  if (author_id === store.me.value?.id) return t("direct.last-mine", { text });
  const author = members.find(({ user }) => user.id === author_id)?.user;
  if (kind === "pair" || !author) return text;
  return t("direct.last-of", { name: nameOf(author), text });
}
