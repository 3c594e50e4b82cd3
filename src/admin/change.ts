import { lockAdministrator } from "../authentication/credentials.ts";
import type { UserRow } from "../users/users.ts";
import { type AuditActor, auditActorOf } from "../audit/write.ts";
import type { Drizzle, Transaction } from "../database/connect.ts";
import type { Actor } from "../routing/actor.ts";

/** An administrator's request, as far as `changeAsAdmin` uses it. */
export type AdminCall = { actor: Actor; request: Request };

/**
 * Runs an administrator's change in a transaction. The administrator's role and session are checked
 * again and stay locked until the commit, so that nothing is changed by someone who has lost either
 * since the request began. Every route under `/api/admin` that changes something goes through it.
 * @param change receives the locked row of the account
 * @param accountId the account to change; the administrator's own by default
 * @throws Refusal of `lockAdministrator`, and those of the change
 */
export function changeAsAdmin<T>(
  db: Drizzle,
  call: AdminCall,
  change: (tx: Transaction, actor: AuditActor, account: UserRow) => Promise<T>,
  accountId = call.actor.id,
): Promise<T> {
  return db.transaction(async (tx) => {
    const account = await lockAdministrator(tx, call.actor, accountId);
    return change(tx, auditActorOf(call), account);
  });
}
