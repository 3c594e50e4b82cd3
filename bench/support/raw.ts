import { join } from "node:path";

/** A bare Bun server in its own process; see raw-server.ts. */
export type Raw = { address: string; pid: number; stop(): Promise<void> };

export async function startRaw(): Promise<Raw> {
  const file = join(import.meta.dir, "raw-server.ts");
  const child = Bun.spawn([process.execPath, file], { stdout: "pipe", stderr: "inherit" });
  const reader = child.stdout.getReader();
  const { value } = await reader.read();
  const port = Number(new TextDecoder().decode(value));
  return {
    address: `http://127.0.0.1:${port}`,
    pid: child.pid,
    async stop() {
      child.kill("SIGTERM");
      await child.exited;
    },
  };
}

/** Opens many connections to it, a few at a time. */
export async function openRawSockets(
  raw: Raw,
  count: number,
  heard: (index: number, text: string) => void = () => {},
  atOnce = 100,
): Promise<WebSocket[]> {
  const sockets: WebSocket[] = [];
  const open = async () => {
    const index = sockets.length;
    const socket = new WebSocket(raw.address.replace("http", "ws"));
    sockets.push(socket);
    socket.onmessage = ({ data }) => heard(index, String(data));
    await new Promise((resolve) => {
      socket.onopen = resolve;
    });
  };
  const hand = async () => {
    while (sockets.length < count) await open();
  };
  await Promise.all(Array.from({ length: atOnce }, hand));
  return sockets;
}
