import type { Transaction } from "../database/connect.ts";
import { adminAuditLog } from "../database/schema.ts";
import { requestInfo } from "../platform/request-info.ts";

/** Who performs an audited action, and from where. */
export type AuditActor = {
  /** Null: an operator at the command line, who has no account. */
  actorId: string | null;
  /** The caller's address; null at the command line. */
  ip: string | null;
};

export const COMMAND_LINE: AuditActor = { actorId: null, ip: null };

/** The actor of an authenticated request. */
export function auditActorOf(call: { actor: { id: string }; request: Request }): AuditActor {
  return { actorId: call.actor.id, ip: requestInfo(call.request).address };
}

/** What an action changes, with its current name: it may be deleted before the log is read. */
export type AuditTarget = { id: string | null; name: string | null };

/**
 * Writes a row of the audit log, in the transaction of the change.
 * @param action the type of the target and a verb, as `user.deactivate`
 * @param details what changed, without secrets: rows are never deleted
 */
export async function writeAudit(
  tx: Transaction,
  actor: AuditActor,
  action: `${string}.${string}`,
  target: AuditTarget,
  details: Record<string, unknown> = {},
): Promise<void> {
  const [targetType = ""] = action.split(".");
  await tx.insert(adminAuditLog).values({
    id: Bun.randomUUIDv7(),
    ...actor,
    action,
    targetType,
    targetId: target.id,
    targetName: target.name,
    details,
  });
}
