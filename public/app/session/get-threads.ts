import { computed, effect, untracked } from "@preact/signals";
import { Threads } from "../state/threads/loaded-threads.ts";
import { store } from "./store.ts";

let threads: Threads | null = null;

/** Keeps threads up to date, from the first call on. */
export function getThreads(): Threads {
  threads ??= startThreads();
  return threads;
}

function startThreads(): Threads {
  const onMissing = () => {
    store.missing.value += 1;
  };
  const started = store.attach((deps) => new Threads({ ...deps, onMissing }));
  store.onEvent((event) => started.hear(event));
  const personId = computed(() =>
    store.phase.value === "signed-in" ? store.me.value?.id : undefined,
  );
  effect(() => {
    const isHere = personId.value !== undefined;
    untracked(() => {
      if (!isHere) started.stop();
      // Those of the last visit are brought up to date once the socket is open.
      else if (!store.state.value.follows) started.mine.load();
    });
  });
  return started;
}
