import { createECDH } from "node:crypto";
import { and, eq, sql } from "drizzle-orm";
import { lockSession, sessionIdOf } from "../authentication/sessions.ts";
import type { Drizzle } from "../database/connect.ts";
import { pushSubscriptions } from "../database/schema.ts";
import type { Egress } from "../platform/egress/egress.ts";
import { EgressError } from "../platform/egress/error.ts";
import { makeFieldRefusal } from "../platform/refusal.ts";
import type { Actor } from "../routing/actor.ts";
import { MAX_PUSH_SUBSCRIPTIONS } from "../wire/limits.ts";
import type { Subscribe } from "../wire/requests.ts";

/** The keys and the endpoint needed to send to a browser. */
export type Subscription = { id: string; endpoint: string; p256dh: string; auth: string };

/**
 * Saves a browser's subscription. It belongs to the account that subscribed last, and is deleted with
 * the session. Above `MAX_PUSH_SUBSCRIPTIONS` the account's oldest subscriptions are deleted.
 * @returns false if the endpoint was already stored
 * @throws Refusal `validation`, or `unauthenticated` if the session has ended since the request began
 */
export async function saveSubscription(
  db: Drizzle,
  egress: Pick<Egress, "checkTarget">,
  actor: Actor,
  { endpoint, keys }: Subscribe,
): Promise<boolean> {
  checkKeys(keys);
  await checkEndpoint(egress, endpoint);
  const values = { userId: actor.id, sessionId: sessionIdOf(actor), ...keys };
  const [row] = await db.transaction(async (tx) => {
    await lockSession(tx, actor);
    return tx
      .insert(pushSubscriptions)
      .values({ id: Bun.randomUUIDv7(), endpoint, ...values })
      .onConflictDoUpdate({
        target: pushSubscriptions.endpoint,
        set: { ...values, createdAt: sql`excluded.created_at` },
      })
      .returning({ isNew: sql<boolean>`xmax = 0` });
  });
  // After the commit, so that parallel subscriptions count each other.
  await db.execute(sql`
    delete from push_subscriptions where id in (
      select id from push_subscriptions where user_id = ${actor.id}
      order by created_at desc, id desc offset ${MAX_PUSH_SUBSCRIPTIONS})`);
  return row?.isNew ?? false;
}

export async function deleteSubscription(
  db: Drizzle,
  userId: string,
  endpoint: string,
): Promise<void> {
  await db
    .delete(pushSubscriptions)
    .where(and(eq(pushSubscriptions.userId, userId), eq(pushSubscriptions.endpoint, endpoint)));
}

/** Deletes subscriptions that their push services have reported as gone. */
export async function deleteSubscriptions(db: Drizzle, ids: string[]): Promise<void> {
  if (ids.length === 0) return;
  await db
    .delete(pushSubscriptions)
    .where(sql`${pushSubscriptions.id} = any(${sql.param(ids)}::uuid[])`);
}

/** Reads an account's subscriptions with valid sessions. */
export async function readSubscriptions(db: Drizzle, userId: string): Promise<Subscription[]> {
  return db.execute<Subscription>(sql`
    select p.id, p.endpoint, p.p256dh, p.auth from push_subscriptions p
    join sessions s on s.id = p.session_id and s.expires_at > clock_timestamp()
      and not s.is_restricted
    where p.user_id = ${userId} order by p.id`);
}

/** A payload can only be encrypted for a key that is a point of the curve (RFC 8291, 3.1). */
function checkKeys({ p256dh, auth }: Subscribe["keys"]): void {
  const ecdh = createECDH("prime256v1");
  ecdh.generateKeys();
  try {
    ecdh.computeSecret(Buffer.from(p256dh, "base64url"));
  } catch {
    throw makeFieldRefusal("/keys/p256dh", "This is not the public key of a push subscription.");
  }
  if (Buffer.from(auth, "base64url").length !== 16) {
    throw makeFieldRefusal("/keys/auth", "This is not the secret of a push subscription.");
  }
}

async function checkEndpoint(egress: Pick<Egress, "checkTarget">, endpoint: string): Promise<void> {
  try {
    await egress.checkTarget(endpoint);
  } catch (error) {
    if (!(error instanceof EgressError)) throw error;
    throw makeFieldRefusal("/endpoint", "The push service's address cannot be called from here.");
  }
}
