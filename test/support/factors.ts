import { expect } from "bun:test";
import { TOTP } from "otpauth";
import type { Client } from "./client.ts";
import { PASSWORD, type World } from "./world.ts";

const STEP_MS = 30_000;

/** The code that an authenticator app shows, now or some steps of 30 seconds away from it. */
export function codeOf(secret: string, steps = 0): string {
  const timestamp = Date.now() + steps * STEP_MS;
  return new TOTP({ secret, algorithm: "SHA1", digits: 6, period: 30 }).generate({ timestamp });
}

/** Waits until a code that is a step old is not about to become too old. */
export function untilStepLasts(ms = 5_000): Promise<void> {
  const left = STEP_MS - (Date.now() % STEP_MS);
  return left > ms ? Promise.resolve() : Bun.sleep(left + 1);
}

/** Confirms an authenticator app whose clock is a step behind, so that the next code is fresh. */
export async function confirmTotp(client: Client, secret: string) {
  for (;;) {
    const step = Math.floor(Date.now() / STEP_MS);
    const answer = await client.post("/api/auth/me/totp/confirm", { code: codeOf(secret, -1) });
    // Where a step has ended meanwhile, the code was two steps old when it arrived.
    if (answer.status === 200 || Math.floor(Date.now() / STEP_MS) === step) return answer;
  }
}

/** Sets up an authenticator app and turns it on. */
export async function turnOnTotp(client: Client): Promise<{ secret: string; codes: string[] }> {
  const { secret } = (await client.post("/api/auth/me/totp")).body;
  const confirmed = await confirmTotp(client, secret);
  expect(confirmed.status).toBe(200);
  const codes: string[] = confirmed.body.recovery_codes;
  const saved = { recovery_code: codes[0] };
  expect((await client.post("/api/auth/me/recovery-codes/saved", saved)).status).toBe(204);
  return { secret, codes };
}

/** Sends a password, and returns the answer with the cookie of the wait for a second factor. */
export async function beginLogin(
  world: World,
  username: string,
  headers: Record<string, string> = {},
) {
  const body = { username, password: PASSWORD };
  const answer = await world.anonymous.call("POST", "/api/auth/login", body, headers);
  const cookie = answer.headers
    .getSetCookie()
    .find((cookie) => cookie.includes("snug_challenge="))
    ?.split(";")[0];
  return { answer, cookie: cookie ?? "" };
}

/** Finishes a sign-in with a second factor. */
export function finishLogin(
  world: World,
  cookie: string,
  factor: object,
  headers: Record<string, string> = {},
) {
  const sent = { cookie, ...headers };
  return world.anonymous.call("POST", "/api/auth/login/second", factor, sent);
}

/** Moves the last reauthentication of a session beyond the time that it counts. */
export async function expireReauthentication(world: World, client: Client): Promise<void> {
  await world.database.sql`update sessions set proof_at = proof_at - interval '11 minutes'
    where user_id = ${client.user.id}`;
}
