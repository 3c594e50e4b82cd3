import { effect, untracked } from "@preact/signals";
import { Threads } from "../state/threads.ts";
import { store } from "./store.ts";

let threads: Threads | null = null;

/** Keeps threads up to date; loaded by the first call. */
export function getThreads(): Threads {
  threads ??= startThreads();
  return threads;
}

function startThreads(): Threads {
  const { api, clock, state } = store;
  const onMissing = () => {
    store.missing.value += 1;
  };
  const started = new Threads({ api, clock, state, onMissing });
  store.onEvent((event) => started.hear(event));
  effect(() => {
    const isHere = store.phase.value === "signed-in" && store.me.value?.id;
    untracked(() => (isHere ? started.mine.load() : started.stop()));
  });
  return started;
}
