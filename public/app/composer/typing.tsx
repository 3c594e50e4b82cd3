import { useEffect, useState } from "preact/hooks";
import { findUser, nameOf } from "../session/person.tsx";
import type { RoomView } from "../state/model/model.ts";
import { formatList, t } from "../words/translate.ts";

const TICK_MS = 1_000;

/** Who is typing. Entries expire by themselves. */
export function Typing({ view }: { view: RoomView }) {
  const [now, setNow] = useState(Date.now());
  const ids = Object.keys(view.typing).filter((id) => (view.typing[id] ?? 0) > now);
  useEffect(() => {
    setNow(Date.now());
    if (Object.keys(view.typing).length === 0) return;
    const timer = setInterval(() => setNow(Date.now()), TICK_MS);
    return () => clearInterval(timer);
  }, [view.typing]);
  const names = ids.map((id) => {
    const user = findUser(id);
    return user ? nameOf(user) : t("timeline.someone");
  });
  return <p class="typing relative muted tiny">{names.length > 0 && sentence(names)}</p>;
}

function sentence(names: string[]): string {
  if (names.length > 3) return t("timeline.several-type");
  return t("timeline.type", { count: names.length, names: formatList(names) });
}
