import type { Handlers } from "./kinds.ts";

/** Kinds that share so many hands. */
export type Pool = { kinds: string[]; hands: number };

/** Kinds that say nothing of hands share those of the process. */
export function poolsOf(handlers: Partial<Handlers>, concurrency: number): Pool[] {
  const shared: Pool = { kinds: [], hands: concurrency };
  const pools = [shared];
  for (const [kind, handler] of Object.entries(handlers)) {
    const hands = typeof handler === "function" ? undefined : handler.hands;
    if (hands === undefined) shared.kinds.push(kind);
    else pools.push({ kinds: [kind], hands });
  }
  return pools.filter(({ kinds }) => kinds.length > 0);
}
