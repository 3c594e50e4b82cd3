import { findUser, nameOf } from "../session/person.tsx";
import type { JoinRun } from "../state/model/joins.ts";
import { formatList, t } from "../words/translate.ts";

/** Up to this many people are all named; otherwise only two are. */
const MAX_NAMED = 3;

/** People who joined the room here, in one subdued line. */
export function Joined({ run }: { run: JoinRun | undefined }) {
  if (!run) return null;
  const { count, userIds } = run;
  const ids = count > MAX_NAMED ? userIds.slice(0, MAX_NAMED - 1) : userIds;
  // People who join again are named once. The event of a join may arrive before the profile.
  const names = [...new Set(ids)].flatMap((id) => {
    const user = findUser(id);
    return user ? [nameOf(user)] : [];
  });
  if (names.length === 0) return null;
  const others = count - ids.length;
  const people = names.length + others;
  if (others > 0) names.push(t("timeline.others", { count: others }));
  return (
    <li class="joined muted small">
      {t("timeline.joined", { names: formatList(names), count: people })}
    </li>
  );
}
