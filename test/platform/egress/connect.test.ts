import { connect as open, type Socket } from "node:net";
import { expect, test } from "bun:test";
import { sendRequest } from "../../../src/platform/egress/connect.ts";

/** More connections than a process that accepts none may have waiting. */
const MANY = 1_100;

test("an address that does not take the connection in time gives way to the next", async () => {
  const server = `const server = require("node:net").createServer();
    server.listen(0, "127.0.0.1", () => console.log(server.address().port));`;
  const child = Bun.spawn([process.execPath, "-e", server], { stdout: "pipe" });
  const { value } = await child.stdout.getReader().read();
  const port = Number(new TextDecoder().decode(value));
  child.kill("SIGSTOP");
  const sockets: Socket[] = [];
  let isFull = false;
  while (!isFull && sockets.length < MANY) {
    const socket = open(port, "127.0.0.1").on("error", () => {});
    sockets.push(socket);
    const { promise, resolve } = Promise.withResolvers<boolean>();
    socket.once("connect", () => resolve(false));
    const timer = setTimeout(() => resolve(true), 200);
    isFull = await promise;
    clearTimeout(timer);
  }
  expect(isFull).toBe(true);
  const other = Bun.serve({ hostname: "127.0.0.2", port, fetch: () => new Response("ok") });
  const hop = {
    method: "GET",
    headers: {},
    body: null,
    ca: undefined,
    connectMs: 100,
    signal: AbortSignal.timeout(5_000),
  };
  // A name, because an address in the URL is connected to as it is.
  const url = new URL(`http://name.example:${port}/`);
  const answer = await sendRequest({
    ...hop,
    target: { url, addresses: ["127.0.0.1", "127.0.0.2"] },
  });
  expect(answer.statusCode).toBe(200);
  answer.destroy();
  const failing = sendRequest({ ...hop, target: { url, addresses: ["127.0.0.1"] } });
  expect(await failing.catch((error) => error.reason)).toBe("timeout");
  for (const socket of sockets) socket.destroy();
  child.kill("SIGKILL");
  await other.stop(true);
});
