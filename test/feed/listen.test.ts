import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import {
  openClient,
  connectDatabase,
  type Database,
  type SqlClient,
} from "../../src/database/connect.ts";
import type { Target } from "../../src/database/target.ts";
import { listenToDatabase } from "../../src/feed/listen.ts";
import { freshDatabase } from "../support/database.ts";
import { StallingProxy } from "../support/stalling-proxy.ts";

let target: Target & object;
let database: Database;
let proxy: StallingProxy;
beforeAll(async () => {
  target = await freshDatabase();
  database = connectDatabase(target, 1);
  proxy = new StallingProxy(target);
});
beforeEach(() => {
  proxy.forget();
});
afterAll(async () => {
  proxy.close();
  await database.close();
});

/** Listens through the proxy. */
async function start() {
  let onListening = () => {};
  let onHint = (_: string) => {};
  const stop = await listenToDatabase({
    openClient: () => openClient(proxy.target, 1) as SqlClient,
    sql: database.sql,
    instance: "this",
    pingMs: 10,
    listener: {
      onHint: ({ roomId, seq, kind }) => onHint([roomId, seq, kind].join(" ")),
      onSignal: () => {},
      onJob: () => {},
      onPeer: () => {},
      onGrowth: () => {},
      onListening: () => onListening(),
      onSilence: () => {},
      onSilenceEnd: () => {},
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
  test("receives hints of others and not its own", async () => {
    const ear = await start();
    const hint = ear.nextHint();
    await tell("this mine:1");
    await tell("other theirs:2:direct");
    expect(await hint).toBe("theirs 2 direct");
    await ear.stop();
  });

  test("receives hints of an older version, which have no kind", async () => {
    const ear = await start();
    const hint = ear.nextHint();
    await tell("other theirs:2");
    expect(await hint).toBe("theirs 2 ");
    await ear.stop();
  });

  test("finds that its connection is half open, opens another and says so", async () => {
    const ear = await start();
    expect(proxy.links).toHaveLength(1);
    const again = ear.nextListening();
    proxy.stall();
    await again;
    const hint = ear.nextHint();
    await tell("other room:7:room");
    expect(await hint).toBe("room 7 room");
    await ear.stop();
  });

  test("comes back when its connection is closed", async () => {
    const ear = await start();
    const again = ear.nextListening();
    proxy.cut();
    await again;
    const hint = ear.nextHint();
    await tell("other room:8:room");
    expect(await hint).toBe("room 8 room");
    await ear.stop();
  });

  test("survives a payload that is no signal", async () => {
    const ear = await start();
    const hint = ear.nextHint();
    await database.sql`select pg_notify('snug_signals', 'nonsense')`;
    await tell("other room:9:room");
    expect(await hint).toBe("room 9 room");
    await ear.stop();
  });
});
