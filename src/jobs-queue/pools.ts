import type { Jobs } from "./job.ts";

/** Kinds that share a limit of jobs that run at a time. */
export type Pool = { kinds: string[]; concurrency: number };

/** A kind that may be claimed, with its pool and the pool's free places. */
export type FreeKind = { kind: string; pool: number; places: number };

/** Kinds without a concurrency of their own share that of the process. */
export function createPools(jobs: Partial<Jobs>, sharedConcurrency: number): Pool[] {
  const shared: Pool = { kinds: [], concurrency: sharedConcurrency };
  const pools = [shared];
  for (const [kind, { concurrency }] of Object.entries(jobs)) {
    if (concurrency === undefined) shared.kinds.push(kind);
    else pools.push({ kinds: [kind], concurrency });
  }
  return pools.filter(({ kinds }) => kinds.length > 0);
}

/** @param running the kind of each job that runs */
export function findFreeKinds(pools: Pool[], running: string[]): FreeKind[] {
  return pools.flatMap(({ kinds, concurrency }, pool) => {
    const places = concurrency - running.filter((kind) => kinds.includes(kind)).length;
    return places > 0 ? kinds.map((kind) => ({ kind, pool, places })) : [];
  });
}
