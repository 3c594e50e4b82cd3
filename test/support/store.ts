import { effect } from "@preact/signals";
import type { OutboxEntry } from "../../public/app/connection/outbox.ts";
import type { State } from "../../public/app/state/model.ts";
import { Store } from "../../public/app/state/store.ts";

/**
 * The client's own store, as a page would hold it, on one session.
 * @param base where the service is now: asked anew for every request and every socket
 * @param watch is given every socket as it is opened
 */
export function openStore(
  base: () => string,
  cookie: string,
  watch: (socket: WebSocket) => void = () => {},
): Store {
  const kept = new Map<string, string>();
  return new Store({
    fetch: (path, init) =>
      fetch(base() + path, {
        ...init,
        headers: { ...(init.headers as Record<string, string>), cookie },
      }),
    openSocket: () => {
      const origin = base();
      const url = `${origin.replace("http", "ws")}/ws/chat`;
      const socket = new WebSocket(url, { headers: { cookie, origin } } as unknown as string[]);
      watch(socket);
      return socket;
    },
    storage: {
      getItem: (key) => kept.get(key) ?? null,
      setItem: (key, value) => void kept.set(key, value),
      removeItem: (key) => void kept.delete(key),
    },
  });
}

/** Waits until the store says so; fails with what it holds. */
export function until(
  store: Store,
  holds: (state: State, outbox: OutboxEntry[]) => boolean,
  patienceMs = 5_000,
): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const timer = setTimeout(() => {
    const { state, status, outbox } = store;
    reject(new Error(JSON.stringify([status.value, outbox.value, state.value], null, 1)));
  }, patienceMs);
  const stop = effect(() => {
    if (holds(store.state.value, store.outbox.value)) resolve();
  });
  return promise.finally(() => {
    clearTimeout(timer);
    stop();
  });
}

/** Looks at a room until its history and its place in the log are known. */
export async function openRoom(store: Store, roomId: string): Promise<void> {
  await store.start();
  await until(store, (state) => state.rooms?.[roomId] !== undefined);
  store.sync.open(roomId);
  await until(store, (state) => {
    const view = state.views[roomId];
    return view?.loaded === true && view.seq !== null;
  });
}
