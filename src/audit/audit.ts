import type { Transaction } from "../database/connect.ts";
import { adminAuditLog } from "../database/schema.ts";

/** Who acts, and from where: what every row of the audit log begins with. */
export type By = {
  /** Null: someone at the command line. */
  actorId: string | null;
  /** The caller's address; null at the command line. */
  ip: string | null;
};

/** Whoever may run commands on the machine has no account to be named by. */
export const COMMAND_LINE: By = { actorId: null, ip: null };

/** What an administrator did, to whom or what, and from where. */
export type AuditEntry = By & {
  /** As `user.deactivate`. */
  action: string;
  targetType: string;
  targetId: string | null;
  /** As it is called now: it may be gone when somebody reads this. */
  targetName: string | null;
  /** What changed, and how. No secret stands here: the row stays for ever. */
  details?: Record<string, unknown>;
};

/** Writes down what an administrator does, in the transaction that does it. */
export async function audit(tx: Transaction, entry: AuditEntry): Promise<void> {
  await tx.insert(adminAuditLog).values({
    id: Bun.randomUUIDv7(),
    ...entry,
    details: entry.details ?? {},
  });
}
