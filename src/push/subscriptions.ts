import { createECDH } from "node:crypto";
import { sessionIdOf } from "../accounts/sessions.ts";
import type { Actor } from "../routing/actor.ts";
import type { SqlClient } from "../database/connect.ts";
import type { Egress } from "../platform/egress/egress.ts";
import { EgressError } from "../platform/egress/error.ts";
import { invalid } from "../platform/refusal.ts";
import { MAX_PUSH_SUBSCRIPTIONS } from "../wire/limits.ts";
import type { Subscribe } from "../wire/requests.ts";

/** What is needed to send to a browser. */
export type Subscription = { id: string; endpoint: string; p256dh: string; auth: string };

/**
 * Keeps a browser's subscription. It belongs to the account that subscribes last, since that is who
 * uses the browser, and goes when the session ends. Past the most that one account may have, the
 * oldest go.
 * @returns false if the endpoint was known
 * @throws Refusal `validation`
 */
export async function subscribe(
  sql: SqlClient,
  egress: Pick<Egress, "checkTarget">,
  actor: Actor,
  { endpoint, keys }: Subscribe,
): Promise<boolean> {
  checkKeys(keys);
  await checkEndpoint(egress, endpoint);
  const [row] = await sql<{ is_new: boolean }[]>`
    insert into push_subscriptions (id, user_id, session_id, endpoint, p256dh, auth)
    values (${Bun.randomUUIDv7()}, ${actor.id}, ${sessionIdOf(actor)}, ${endpoint},
      ${keys.p256dh}, ${keys.auth})
    on conflict (endpoint) do update set user_id = excluded.user_id,
      session_id = excluded.session_id, p256dh = excluded.p256dh, auth = excluded.auth,
      created_at = excluded.created_at
    returning xmax = 0 as is_new`;
  await sql`delete from push_subscriptions where id in (
    select id from push_subscriptions where user_id = ${actor.id}
    order by created_at desc, id desc offset ${MAX_PUSH_SUBSCRIPTIONS})`;
  return row?.is_new ?? false;
}

/** Forgets a subscription of the caller's; one that is not known is forgotten already. */
export async function unsubscribe(sql: SqlClient, userId: string, endpoint: string): Promise<void> {
  await sql`delete from push_subscriptions where user_id = ${userId} and endpoint = ${endpoint}`;
}

export function subscriptionsOf(sql: SqlClient, userId: string): Promise<Subscription[]> {
  return sql<Subscription[]>`
    select s.id, s.endpoint, s.p256dh, s.auth from push_subscriptions s
    join sessions on sessions.id = s.session_id and sessions.expires_at > clock_timestamp()
    where s.user_id = ${userId} order by s.id`;
}

/** A key that is no point of the curve could not be encrypted for (RFC 8291, 3.1). */
function checkKeys({ p256dh, auth }: Subscribe["keys"]): void {
  const own = createECDH("prime256v1");
  own.generateKeys();
  try {
    own.computeSecret(Buffer.from(p256dh, "base64url"));
  } catch {
    throw invalid("/keys/p256dh", "This is not the public key of a push subscription.");
  }
  if (Buffer.from(auth, "base64url").length !== 16) {
    throw invalid("/keys/auth", "This is not the secret of a push subscription.");
  }
}

async function checkEndpoint(egress: Pick<Egress, "checkTarget">, endpoint: string): Promise<void> {
  try {
    await egress.checkTarget(endpoint);
  } catch (error) {
    if (!(error instanceof EgressError)) throw error;
    throw invalid("/endpoint", "The push service's address cannot be called from here.");
  }
}
