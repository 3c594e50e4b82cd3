import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import http2 from "node:http2";
import net from "node:net";
import tls from "node:tls";
import { Snug } from "../../src/snug-client/client.ts";
import { setUploadLimit } from "../../src/uploads/limit.ts";
import { Client } from "../support/client.ts";
import { hasProxy, type ProxyName, ReverseProxy, PUBLIC_ORIGIN } from "../support/proxies.ts";
import { PASSWORD, World } from "../support/world.ts";

/** nginx takes 1 MB by itself. */
const UPLOAD_BYTES = 12 * 1_024 ** 2;
const NAMES: ProxyName[] = ["nginx", "caddy", "haproxy"];

let world: World;
let ada: Client;
let instances: string[];
let certificates: string | undefined;
beforeAll(async () => {
  // The certificates of the proxies here are signed by nobody.
  certificates = process.env.NODE_TLS_REJECT_UNAUTHORIZED;
  process.env.NODE_TLS_REJECT_UNAUTHORIZED = "0";
  world = await World.start({ BASE_URL: PUBLIC_ORIGIN, TRUST_PROXY: "1" });
  const second = await world.secondInstance();
  instances = [world.service.address, second.address];
  const person = await world.person("ada");
  // Behind https the cookie has another name.
  ada = new Client(person.base, `__Host-${person.cookie}`, person.user);
  await setUploadLimit(world.database.db, UPLOAD_BYTES);
});
afterAll(async () => {
  if (certificates === undefined) delete process.env.NODE_TLS_REJECT_UNAUTHORIZED;
  else process.env.NODE_TLS_REJECT_UNAUTHORIZED = certificates;
  await world?.stop();
});

for (const name of NAMES) {
  describe.skipIf(!hasProxy(name))(`two instances behind ${name}`, () => {
    let proxy: ReverseProxy;
    beforeAll(async () => {
      proxy = await ReverseProxy.start(name, instances);
    });
    afterAll(() => proxy?.close());
    const through = (client: Client) =>
      new Client(proxy.address, client.cookie, client.user, client.token);

    test("a browser speaks HTTP/2, and its own address is the one that counts", async () => {
      const forged = { "x-forwarded-for": "203.0.113.9" };
      const body = JSON.stringify({ username: "ada", password: PASSWORD });
      const signedIn = await callByHttp2(proxy, "127.0.9.2", "POST", "/api/auth/login", body, {
        ...forged,
        "content-type": "application/json",
      });
      expect(signedIn.status).toBe(200);
      // Proxies and service agree that people use https.
      expect(signedIn.cookie).toContain("Secure");
      const rows = await world.database.sql<{ address: string }[]>`
        select address from sessions order by created_at desc limit 1`;
      expect(rows[0]?.address).toContain("127.0.9.");
    });

    test("a large file goes up and comes back whole", async () => {
      const roomId = await world.room(`files-${name}`, ada);
      const bytes = Buffer.alloc(UPLOAD_BYTES, crypto.getRandomValues(new Uint8Array(4_099)));
      const response = await through(ada).upload(`/api/rooms/${roomId}/files`, bytes, "large");
      expect(response.status).toBe(201);
      const answer = await fetch(proxy.address + response.body.url, {
        headers: { cookie: ada.cookie ?? "" },
      });
      expect(Buffer.from(await answer.arrayBuffer()).equals(bytes)).toBe(true);
    });

    test("people talk while it is reloaded and restarted: all is heard, once, in order", async () => {
      const bots = await Promise.all(
        ["writes", "reads"].map((does) =>
          world.bot(`${does}-${name}`, ["read:messages", "write:messages"]),
        ),
      );
      const roomId = await world.room(`talk-${name}`, ada, bots);
      const [writer, reader] = await Promise.all(
        bots.map(({ token }) => new Snug({ url: proxy.address, token: token ?? "" }).connect()),
      );
      const { promise: done, resolve } = Promise.withResolvers<void>();
      const heard: string[] = [];
      const said: string[] = [];
      reader?.on("message", ({ message }) => {
        heard.push(message.content ?? "");
        if (message.content === "the end") resolve();
      });
      reader?.join(roomId);
      reader?.on("joined", () => joined.resolve());
      const joined = Promise.withResolvers<void>();
      await joined.promise;
      const say = async (content: string) => {
        await writer?.post(roomId, content);
        said.push(content);
      };
      const restart = async () => {
        await proxy.stop();
        await proxy.open();
      };
      for (const act of [() => proxy.reload(), restart]) {
        let isDone = false;
        const acting = act().finally(() => (isDone = true));
        // Until it is over, and a few more.
        for (let left = 5; left > 0; left -= isDone ? 1 : 0) await say(`message ${said.length}`);
        await acting;
      }
      await say("the end");
      await done;
      expect(heard).toEqual(said);
      for (const bot of [writer, reader]) bot?.close();
    });
  });
}

/** A request as a browser makes it, from an address of this machine. */
async function callByHttp2(
  proxy: ReverseProxy,
  localAddress: string,
  method: string,
  path: string,
  body: string,
  headers: Record<string, string>,
): Promise<{ status: number; cookie: string }> {
  const socket = net.connect({ host: "127.0.0.1", port: proxy.port, localAddress });
  const secure = { ALPNProtocols: ["h2"], servername: "localhost", rejectUnauthorized: false };
  const session = http2.connect(proxy.address, {
    createConnection: () => tls.connect({ socket, ...secure }),
  });
  const request = session.request({ ":method": method, ":path": path, ...headers });
  const { promise, resolve, reject } = Promise.withResolvers<{ status: number; cookie: string }>();
  session.on("error", reject);
  request.on("error", reject);
  request.on("response", (answer) => {
    const cookie = String(answer["set-cookie"] ?? "");
    resolve({ status: Number(answer[":status"]), cookie });
  });
  request.end(body);
  const answer = await promise;
  session.destroy();
  return answer;
}
