import type { Transaction } from "../database/connect.ts";
import { adminAuditLog } from "../database/schema.ts";
import { requestInfo } from "../platform/http/request-info.ts";

export type AuditActor = {
  /** Null: an operator at the command line, who has no account. */
  actorId: string | null;
  /** The caller's address; null at the command line. */
  ip: string | null;
};

export const COMMAND_LINE: AuditActor = { actorId: null, ip: null };

export function auditActorOf(call: { actor: { id: string }; request: Request }): AuditActor {
  return { actorId: call.actor.id, ip: requestInfo(call.request).address };
}

/** An object with its current name, since it may be deleted before anyone reads the log. */
export type AuditTarget = { id: string | null; name: string | null };

/** Audited actions: the type of the target and a verb. */
export const AUDIT_ACTIONS = [
  "bot.create",
  "bot.update",
  "invite.create",
  "invite.resend",
  "invite.revoke",
  "invite_link.create",
  "invite_link.revoke",
  "job.retry",
  "provider.create",
  "provider.update",
  "provider.delete",
  "room.update",
  "room.archive",
  "room.unarchive",
  "room.transfer",
  "room.delete",
  "scheduled.delete",
  "settings.sections",
  "settings.sign_in",
  "settings.smtp",
  "settings.team",
  "settings.uploads",
  "token.create",
  "token.revoke",
  "user.create",
  "user.update",
  "user.connect",
  "user.promote",
  "user.demote",
  "user.deactivate",
  "user.reactivate",
  "user.reset_password",
  "user.reset_second_factor",
  "user.unlock",
  "webhook.delete",
] as const;

type AuditAction = (typeof AUDIT_ACTIONS)[number];

/** @param details what changed, without secrets, because rows are never deleted */
export async function writeAudit(
  tx: Transaction,
  actor: AuditActor,
  action: AuditAction,
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
