import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { createConnection, createServer, type Server, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  client,
  connect,
  type Database,
  type HandSql,
  type Target,
} from "../../src/database/connect.ts";
import { listen } from "../../src/feed/listen.ts";
import { freshDatabase } from "../support/database.ts";

let target: Target & object;
let database: Database;
let folder: string;
let proxy: Server;
/** Connections through the proxy; a stalled one passes nothing on, and is not closed. */
let links: { stalled: boolean; sockets: Socket[] }[];
beforeAll(async () => {
  target = await freshDatabase();
  database = connect(target, 1);
  folder = mkdtempSync(join(tmpdir(), "snug-proxy-"));
  proxy = createServer(pass).listen(join(folder, `.s.PGSQL.${String(target.port)}`));
});
beforeEach(() => {
  links = [];
});
afterAll(async () => {
  for (const { sockets } of links) for (const socket of sockets) socket.destroy();
  proxy.close();
  await database.close();
  rmSync(folder, { recursive: true, force: true });
});

function pass(near: Socket): void {
  const far = createConnection(join(String(target.host), `.s.PGSQL.${String(target.port)}`));
  const link = { stalled: false, sockets: [near, far] };
  links.push(link);
  for (const [from, to] of [
    [near, far],
    [far, near],
  ] as const) {
    from.on("data", (data) => !link.stalled && to.write(data));
    from.on("error", () => to.destroy());
    from.on("close", () => to.destroy());
  }
}

/** Listens through the proxy. */
async function start() {
  let onListening = () => {};
  let onHint = (_: string) => {};
  const stop = await listen({
    openClient: () => client({ ...target, host: folder } as Target, 1) as HandSql,
    sql: database.sql,
    instance: "this",
    pingMs: 40,
    listener: {
      onHint: ({ roomId, seq }) => onHint(`${roomId}:${seq}`),
      onSignal: () => {},
      onJob: () => {},
      onGrowth: () => {},
      onListening: () => onListening(),
    },
  });
  return {
    stop,
    nextHint: () => new Promise<string>((resolve) => (onHint = resolve)),
    nextListening: () => new Promise<void>((resolve) => (onListening = resolve)),
  };
}

const tell = (payload: string) => database.sql`select pg_notify('snug_feed', ${payload})`;

describe("listening", () => {
  test("hears hints of others and not its own", async () => {
    const ear = await start();
    const hint = ear.nextHint();
    await tell("this mine:1");
    await tell("other theirs:2");
    expect(await hint).toBe("theirs:2");
    await ear.stop();
  });

  test("finds that its connection is half open, opens another and says so", async () => {
    const ear = await start();
    expect(links).toHaveLength(1);
    const again = ear.nextListening();
    for (const link of links) link.stalled = true;
    await again;
    const hint = ear.nextHint();
    await tell("other room:7");
    expect(await hint).toBe("room:7");
    await ear.stop();
  });

  test("comes back when its connection is closed", async () => {
    const ear = await start();
    const again = ear.nextListening();
    for (const { sockets } of links) for (const socket of sockets) socket.destroy();
    await again;
    const hint = ear.nextHint();
    await tell("other room:8");
    expect(await hint).toBe("room:8");
    await ear.stop();
  });

  test("survives a payload that is no signal", async () => {
    const ear = await start();
    const hint = ear.nextHint();
    await database.sql`select pg_notify('snug_signals', 'nonsense')`;
    await tell("other room:9");
    expect(await hint).toBe("room:9");
    await ear.stop();
  });
});
