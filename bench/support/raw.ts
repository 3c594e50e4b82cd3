import { join } from "node:path";

/** A bare Bun server in a process of its own; see raw-server.ts. */
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
