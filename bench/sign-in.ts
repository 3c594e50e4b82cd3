/**
 * What signing in costs, and whether a wrong password's time tells what only a right one may: an account
 * against a name that nobody has, one with a second factor, one that is deactivated, and one that may not
 * use its password. Asked in turn, so that what else the machine does meets all. The password's hash takes most of it, by
 * design. `bun bench/sign-in.ts 20` asks for each 20 times in each round.
 */
import { hashPassword } from "../src/sign-in/passwords.ts";
import { Authenticator } from "../test/support/authenticator.ts";
import { codeOf } from "../test/support/factors.ts";
import { Bed } from "./support/bed.ts";
import { report, type Row } from "./support/report.ts";
import { Latencies } from "./support/stats.ts";

const COUNT = Number(process.argv[2] ?? 50);
const ROUNDS = 5;
const PASSWORD = "correct horse battery";

const bed = await Bed.make();
const { sql } = bed.database;
const { address } = await bed.start();
const passwordHash = await hashPassword(PASSWORD, []);

async function call(method: string, path: string, body: unknown, cookie = "") {
  const response = await fetch(address + path, {
    method,
    headers: { "content-type": "application/json", cookie },
    body: JSON.stringify(body),
  });
  const text = await response.text();
  const cookies = response.headers.getSetCookie().map((cookie) => cookie.split(";")[0]);
  return { status: response.status, body: text ? JSON.parse(text) : null, cookies };
}
/** Its own failures must not end the measurement. */
const forgive = () => sql`delete from rate_limits`;

const NAMES = ["plain", "factor", "deactivated"] as const;
for (const username of [...NAMES, "passkey"]) {
  await sql`insert into users (id, username, email, password_hash)
    values (${Bun.randomUUIDv7()}, ${username}, ${`${username}@example.org`}, ${passwordHash})`;
}
const login = (username: string, password: string) =>
  call("POST", "/api/auth/login", { username, password });
const enter = async (username: string) => (await login(username, PASSWORD)).cookies.join("; ");

const own = await enter("factor");
const { secret } = (await call("POST", "/api/auth/me/totp", {}, own)).body;
const { recovery_codes } = (
  await call("POST", "/api/auth/me/totp/confirm", { code: codeOf(secret) }, own)
).body;
const saved = { recovery_code: recovery_codes[0] };
await call("POST", "/api/auth/me/recovery-codes/saved", saved, own);
await sql`update users set is_active = false where username = 'deactivated'`;

for (const name of NAMES) {
  const rows: Row[] = [];
  for (let round = 0; round <= ROUNDS; round += 1) {
    const [known, unknown] = [new Latencies(), new Latencies()];
    for (let i = 0; i < COUNT; i += 1) {
      await forgive();
      const pair = [
        [name, known],
        [`nobody-${i}`, unknown],
      ] as const;
      for (const [username, latencies] of i % 2 === 0 ? pair : pair.toReversed()) {
        const started = performance.now();
        const { status } = await login(username, "a wrong password");
        latencies.add(performance.now() - started);
        if (status !== 401) throw new Error(`${username}: ${status}`);
      }
    }
    if (round === 0) continue;
    rows.push({
      scenario: `a wrong password of an account (${name}), against a name that nobody has`,
      ours: known.p(0.5),
      anchor: unknown.p(0.5),
      unit: "ms",
      less: true,
      reach: "1.00x, within 0.05",
    });
  }
  report(rows);
}

const device = new Authenticator(address);
const cookie = await enter("passkey");
const { body: creation } = await call("POST", "/api/auth/me/passkeys/options", {}, cookie);
const answer = await call(
  "POST",
  "/api/auth/me/passkeys",
  { passkey: device.create(creation) },
  cookie,
);
const first = { recovery_code: answer.body.recovery_codes[0] };
await call("POST", "/api/auth/me/recovery-codes/saved", first, cookie);
const latencies = new Latencies();
for (let i = 0; i < COUNT * 2; i += 1) {
  await forgive();
  const { body: options } = await call("POST", "/api/auth/passkey/options", {});
  const passkey = device.get(options);
  const started = performance.now();
  const { status } = await call("POST", "/api/auth/passkey", { passkey });
  if (i >= COUNT) latencies.add(performance.now() - started);
  if (status !== 200) throw new Error(`passkey: ${status}`);
}
console.log(
  `\na sign-in with a passkey (reach 30 ms): p50 ${latencies.p(0.5).toFixed(1)} ms, p95 ${latencies.p(0.95).toFixed(1)} ms of ${latencies.count}`,
);
await bed.clear();
process.exit(0);
