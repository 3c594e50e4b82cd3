import type { Signal } from "@preact/signals";
import type { Team } from "../../../../src/wire/models.ts";
import { keepIfSpace, type KeyValue } from "../../connection/storage.ts";

/** The stored team, for the first paint of the next start. */
const TEAM_KEY = "snug.team";

/** @returns the team as the last page knew it; null if nothing was stored */
export function readTeam(storage: KeyValue): Team | null {
  return JSON.parse(storage.getItem(TEAM_KEY) ?? "null");
}

/** Shows and stores a response about the team, unless it is older than the known one. */
export function mergeTeam(current: Signal<Team | null>, storage: KeyValue, team: Team): void {
  if (team.version < (current.value?.version ?? 0)) return;
  current.value = team;
  keepIfSpace(storage, TEAM_KEY, JSON.stringify(team));
}
