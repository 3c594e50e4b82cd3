import type { JoinRun as WireRun, Message } from "../../../../src/wire/models.ts";

/** Consecutive joins of a room, with the numbers of the first and the last. */
export type JoinRun = { from: number; to: number; count: number; userIds: string[] };

/** How many people of a run are listed by name. */
const MAX_NAMED = 3;

/** The runs of a page, whose users are already in the state. */
export function toRuns(joins: WireRun[] = []): JoinRun[] {
  return joins.map(({ first_seq: from, last_seq: to, count, users }) => {
    const userIds = users.map(({ id }) => id);
    return { from, to, count, userIds };
  });
}

export function toRun(seq: number, userId: string): JoinRun {
  return { from: seq, to: seq, count: 1, userIds: [userId] };
}

/** Adds runs of a page or an event. They replace the runs that they cover. */
export function addJoins(joins: JoinRun[], more: JoinRun[]): JoinRun[] {
  if (more.length === 0) return joins;
  const others = joins.filter(
    ({ from }) => !more.some((run) => run.from <= from && from <= run.to),
  );
  return [...others, ...more].sort((a, b) => a.from - b.from);
}

export function joinsWithin(joins: JoinRun[], after: number, before: number): JoinRun[] {
  return joins.filter(({ from }) => from > after && from < before);
}

/** The id used for runs before the first message. */
export const AT_START = "";

/**
 * The runs by the id of the message below which they are shown. All runs between two messages are
 * merged, in whatever order they arrived.
 */
export function placeJoins(
  lines: Pick<Message, "id" | "seq">[],
  joins: JoinRun[],
): ReadonlyMap<string, JoinRun> {
  const placed = new Map<string, JoinRun>();
  let at = 0;
  for (const run of joins) {
    while (at < lines.length && (lines[at]?.seq ?? 0) < run.from) at += 1;
    const id = lines[at - 1]?.id ?? AT_START;
    const before = placed.get(id);
    placed.set(id, before ? joinRuns(before, run) : run);
  }
  return placed;
}

function joinRuns(a: JoinRun, b: JoinRun): JoinRun {
  const userIds = [...a.userIds, ...b.userIds].slice(0, MAX_NAMED);
  return { from: a.from, to: b.to, count: a.count + b.count, userIds };
}
