import type { Socket } from "node:net";
import { getLogger } from "../platform/log.ts";

const log = getLogger("database");

type Connection = {
  /** Whether a query waits for its answer. */
  isWaiting(): boolean;
  /** Whether the pool would give it the next query: not within a transaction. */
  isIdle(): boolean;
};

/** The patched driver calls it for each new connection. */
export type OnSocket = (socket: Socket, connection: Connection) => void;

/** Counting ticks rather than time lets a process that was stopped read first. */
const TICKS = 10;

/**
 * Closes a connection on which no byte arrives for this time while a query is open, because TCP notices
 * a dead network only after minutes. Its idle connections are closed too: they are probably dead as well.
 */
export function createAnswerTimeout(seconds: number): OnSocket {
  const sockets = new Map<Socket, Connection>();

  async function closeSilent(silent: Socket): Promise<void> {
    log.warn("A database connection went silent; replacing it and the idle ones.");
    const idle = [...sockets].filter(([, { isIdle }]) => isIdle());
    // The pool must not give them the queries that follow the error.
    await Promise.all(idle.map(([socket]) => closeSocket(socket)));
    // Without an error: the driver would fail the queries before it knows that the socket is closed.
    silent.destroy();
  }

  return (socket, connection) => {
    let silentTicks = 0;
    sockets.set(socket, connection);
    const timer = setInterval(
      () => {
        silentTicks = connection.isWaiting() ? silentTicks + 1 : 0;
        if (silentTicks === TICKS + 1) void closeSilent(socket);
      },
      (seconds * 1_000) / TICKS,
    );
    socket.on("data", () => (silentTicks = 0));
    socket.on("close", () => {
      clearInterval(timer);
      sockets.delete(socket);
    });
  };
}

function closeSocket(socket: Socket): Promise<void> {
  return new Promise((resolve) => void socket.once("close", () => resolve()).destroy());
}
