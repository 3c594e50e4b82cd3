import { effect } from "@preact/signals";
import type { Snapshots } from "../../public/app/connection/snapshots.ts";
import type { State } from "../../public/app/state/model/model.ts";
import { Store } from "../../public/app/state/store/client-store.ts";
import { type Tab, Tabs } from "./tabs.ts";
import type { OutboxEntry } from "../../public/app/connection/outbox.ts";

type Pass = (path: string, send: () => Promise<Response>) => Promise<Response>;

/**
 * The client's own store, as a page would hold it, on one session.
 * @param base where the service is now: called for every request and every socket
 * @param watch is given every socket as it is opened
 * @param cookie of the session; a function for one that changes
 * @param tab of a browser that it shares with other stores; else one of its own
 * @param pass lets requests through, and their answers: later, perhaps, or in another order
 */
export function openStore(
  base: () => string,
  cookie: string | (() => string),
  watch: (socket: WebSocket) => void = () => {},
  tab: Tab = new Tabs().open(),
  snapshots?: Snapshots,
  pass: Pass = (_, send) => send(),
): Store {
  const cookieNow = typeof cookie === "string" ? () => cookie : cookie;
  return new Store({
    fetch: (path, init) =>
      pass(path, () =>
        fetch(base() + path, {
          ...init,
          headers: { ...(init.headers as Record<string, string>), cookie: cookieNow() },
        }),
      ),
    openSocket: () => {
      const origin = base();
      const url = `${origin.replace("http", "ws")}/ws/chat`;
      const socket = new WebSocket(url, {
        headers: { cookie: cookieNow(), origin },
      } as unknown as string[]);
      watch(socket);
      return socket;
    },
    ...tab,
    snapshots,
  });
}

/** Waits until the store says so; fails with what it holds. */
export function until(
  store: Store,
  holds: (state: State, outbox: OutboxEntry[]) => boolean,
  patienceMs = 60_000,
): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const timer = setTimeout(() => {
    const { state, status, unsent } = store;
    reject(new Error(JSON.stringify([status.value, unsent.value, state.value], null, 1)));
  }, patienceMs);
  const stop = effect(() => {
    if (holds(store.state.value, store.unsent.value)) resolve();
  });
  return promise.finally(() => {
    clearTimeout(timer);
    stop();
  });
}

/** Looks at a room until its history and its place in the log are known. */
export async function openRoom(store: Store, roomId: string): Promise<void> {
  await store.start();
  await until(store, (state) => state.conversations?.[roomId] !== undefined);
  store.sync.open(roomId);
  await until(store, (state) => {
    const view = state.views[roomId];
    return view?.loaded === true && view.seq !== null;
  });
}
