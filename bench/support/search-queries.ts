import { WORDS } from "./search-corpus.ts";
import { Latencies } from "./stats.ts";

type Found = { items: { message: { content: string } }[]; searched_until: string | null };

/** Searches as the holder of a token. */
export async function ask(
  address: string,
  token: string,
  q: string,
): Promise<Found & { ms: number }> {
  const at = performance.now();
  const answer = await fetch(`${address}/api/search/messages?${new URLSearchParams({ q })}`, {
    headers: { authorization: `Bearer ${token}` },
  });
  const found = (await answer.json()) as Found;
  if (answer.status !== 200) throw new Error(`${q}: ${answer.status} ${JSON.stringify(found)}`);
  return { ...found, ms: performance.now() - at };
}

/** How long searches took: all of them, and those by the beginnings of words. */
export type Searched = { all: Latencies; starts: Latencies; slowest: number };

/** Asks each query some times, one after the other, and prints each kind's median and slowest. */
export async function searchAll(
  label: string,
  address: string,
  token: string,
  rounds: number,
): Promise<Searched> {
  const all = new Latencies();
  const starts = new Latencies();
  const lines: string[] = [];
  for (const [kind, queries] of Object.entries(WORDS)) {
    const times = new Latencies();
    let hits = 0;
    for (let round = 0; round < rounds; round += 1) {
      for (const q of queries) {
        const { ms, items } = await ask(address, token, q);
        for (const list of [times, all]) list.add(ms);
        if (kind === "word starts") starts.add(ms);
        hits += items.length;
      }
    }
    lines.push(
      `${kind} ${times.p(0.5).toFixed(1)}/${times.p(1).toFixed(0)} (${hits / rounds} hits)`,
    );
  }
  console.log(
    `${label}: p50 ${all.p(0.5).toFixed(1)}, p95 ${all.p(0.95).toFixed(1)} ms; median/slowest: ${lines.join(", ")}`,
  );
  return { all, starts, slowest: all.p(1) };
}
