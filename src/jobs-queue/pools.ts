import type { Handlers } from "./kinds.ts";

/** Kinds that share a limit of jobs that run at a time. */
export type Pool = { kinds: string[]; concurrency: number };

/** A kind of which jobs may be taken: its pool, and how many places that has left. */
export type FreeKind = { kind: string; pool: number; places: number };

/** Kinds that say nothing of concurrency share that of the process. */
export function poolsOf(handlers: Partial<Handlers>, shared: number): Pool[] {
  const others: Pool = { kinds: [], concurrency: shared };
  const pools = [others];
  for (const [kind, handler] of Object.entries(handlers)) {
    const concurrency = typeof handler === "function" ? undefined : handler.concurrency;
    if (concurrency === undefined) others.kinds.push(kind);
    else pools.push({ kinds: [kind], concurrency });
  }
  return pools.filter(({ kinds }) => kinds.length > 0);
}

/** @param held the kind of each job that runs */
export function freeOf(pools: Pool[], held: string[]): FreeKind[] {
  return pools.flatMap(({ kinds, concurrency }, pool) => {
    const places = concurrency - held.filter((kind) => kinds.includes(kind)).length;
    return places > 0 ? kinds.map((kind) => ({ kind, pool, places })) : [];
  });
}
