import { join } from "node:path";
import type { Bed } from "./bed.ts";

/** One request; without a method it is a GET. A body is JSON. */
export type Target = { path: string; cookie: string; method?: string; body?: object };
export type WrkResult = { rate: number; p50: number; p99: number };

/**
 * Loads HTTP with wrk (Debian's package), a client in C that takes little of the CPU that it shares
 * with what it measures.
 * @param targets sent one after the other, and again from the first
 * @returns requests a second, and milliseconds
 * @throws Error if an answer was not 2xx
 */
export async function wrk(
  bed: Bed,
  address: string,
  targets: Target[],
  connections: number,
  seconds: number,
): Promise<WrkResult> {
  if (!Bun.which("wrk")) throw new Error("wrk is not installed: it is a package of Debian.");
  const script = join(bed.folder, "wrk.lua");
  await Bun.write(
    script,
    `local targets = {}
for line in io.lines("${script}.targets") do
  local method, path, cookie, body = line:match("^(%S+) (%S+) (%S+) ?(.*)$")
  local headers = { Cookie = cookie, Host = "localhost" }
  if body == "" then body = nil else headers["Content-Type"] = "application/json" end
  if method ~= "GET" then headers["Sec-Fetch-Site"] = "same-origin" end
  targets[#targets + 1] = wrk.format(method, path, headers, body)
end
local at = 0
function request()
  at = at % #targets + 1
  return targets[at]
end
function done(summary, latency)
  local bad = summary.errors.status + summary.errors.connect + summary.errors.read + summary.errors.timeout
  io.write(string.format("RESULT %f %f %f %d\\n", summary.requests / summary.duration * 1e6,
    latency:percentile(50) / 1000, latency:percentile(99) / 1000, bad))
end
`,
  );
  await Bun.write(`${script}.targets`, targets.map(toLine).join(""));
  // A slow answer is slow, not a fault.
  const fixed = ["-t", "1", "--timeout", "30s"];
  const args = [...fixed, "-c", `${connections}`, "-d", `${seconds}s`, "-s", script, address];
  const child = Bun.spawn(["wrk", ...args], { stdout: "pipe", stderr: "pipe" });
  const out = await new Response(child.stdout).text();
  const match = /RESULT (\S+) (\S+) (\S+) (\d+)/.exec(out);
  if (!match || Number(match[4]) > 0) throw new Error(`wrk: ${out}`);
  return { rate: Number(match[1]), p50: Number(match[2]), p99: Number(match[3]) };
}

function toLine({ method = "GET", path, cookie, body }: Target): string {
  return `${method} ${path} ${cookie} ${body ? JSON.stringify(body) : ""}\n`;
}
