import { connect, Socket } from "node:net";
import type { Sql } from "postgres";
import type { Host } from "../config.ts";
import { isTooManyConnections, isUnavailable } from "./errors.ts";

const SEARCH_MS = 5_000;
const MAX_PAUSE_MS = 500;

/**
 * Creates the driver's `socket` option for several hosts: it connects to the one that is not a standby,
 * and waits for it for a while. The driver itself stays with a host that is away, or tries without end
 * (porsager/postgres#1174, #988, #815).
 * @param openClient opens a client of one host
 */
export function createPrimaryConnector(hosts: Host[], openClient: (host: Host) => Sql) {
  let search: Promise<Host> | null = null;
  return async (): Promise<Socket> => {
    search ??= findPrimary(hosts, openClient).finally(() => (search = null));
    try {
      const primary = await search;
      // The driver reads the host of a certificate from the socket.
      return Object.assign(connect(primary), primary);
    } catch (error) {
      return createFailedSocket(error as Error);
    }
  };
}

async function findPrimary(hosts: Host[], openClient: (host: Host) => Sql): Promise<Host> {
  const deadline = performance.now() + SEARCH_MS;
  for (let pause = 20; ; pause = Math.min(2 * pause, MAX_PAUSE_MS)) {
    try {
      return await Promise.any(
        hosts.map(async (host) => {
          await requirePrimary(openClient(host));
          return host;
        }),
      );
    } catch (error) {
      const { errors } = error as AggregateError;
      // The driver waits for a free connection, and checks the host again.
      const fullHost = hosts.find((_, i) => isTooManyConnections(errors[i]));
      if (fullHost) return fullHost;
      const lasting = errors.filter((reason) => !isUnavailable(reason));
      if (lasting.length === hosts.length || performance.now() + pause > deadline)
        throw lasting[0] ?? errors[0];
    }
    await Bun.sleep(pause);
  }
}

async function requirePrimary(client: Sql): Promise<void> {
  try {
    const [row] = await client<[{ is_standby: boolean }]>`
      select pg_is_in_recovery() as is_standby`.simple();
    if (row.is_standby)
      throw Object.assign(new Error("This host is a standby."), { code: "NO_PRIMARY" });
  } finally {
    await client.end({ timeout: 1 });
  }
}

/** The driver never gives up a connection whose `socket` function throws. */
function createFailedSocket(error: Error): Socket {
  const socket = new Socket();
  setImmediate(() => socket.destroy(error));
  return socket;
}
