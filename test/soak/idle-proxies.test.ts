import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { Client } from "../support/client.ts";
import { hasProxy, type ProxyName, PUBLIC_ORIGIN, ReverseProxy } from "../support/proxies.ts";
import { World } from "../support/world.ts";

/** Longer than the settings of `deploy/proxy`, and than what proxies allow without them. */
const IDLE_MS = 310_000;
const NAMES = (["nginx", "caddy", "haproxy"] satisfies ProxyName[]).filter(hasProxy);

/** It takes five minutes, with nothing to shorten: the pings of the service are what is tried. */
describe.skipIf(!process.env.SNUG_SOAK)("a socket on which nobody speaks", () => {
  let world: World;
  let ada: Client;
  let certificates: string | undefined;
  const proxies: ReverseProxy[] = [];
  beforeAll(async () => {
    certificates = process.env.NODE_TLS_REJECT_UNAUTHORIZED;
    process.env.NODE_TLS_REJECT_UNAUTHORIZED = "0";
    world = await World.start({ BASE_URL: PUBLIC_ORIGIN, TRUST_PROXY: "1" });
    const second = await world.secondInstance();
    const instances = [world.service.address, second.address];
    for (const name of NAMES) proxies.push(await ReverseProxy.start(name, instances));
    ada = await world.bot("ada", ["read:messages", "write:messages"]);
  });
  afterAll(async () => {
    await Promise.all(proxies.map((proxy) => proxy.close()));
    if (certificates === undefined) delete process.env.NODE_TLS_REJECT_UNAUTHORIZED;
    else process.env.NODE_TLS_REJECT_UNAUTHORIZED = certificates;
    await world?.stop();
  });

  test("is open after five minutes, behind each proxy", async () => {
    const owner = await world.person("owner");
    const roomId = await world.room("hall", owner, [ada]);
    const sockets = proxies.map((proxy) =>
      new Client(proxy.address, null, ada.user, ada.token).openSocket(),
    );
    for (const socket of sockets) {
      await socket.next("hello");
      await socket.join(roomId);
    }
    await Bun.sleep(IDLE_MS);
    expect(sockets.map(({ closed }) => closed)).toEqual(sockets.map(() => null));
    await ada.say(roomId, "still there?");
    for (const socket of sockets) {
      await socket.next("message");
      socket.close();
    }
  }, 400_000);
});
