import type { Transaction } from "../database/connect.ts";
import { adminAuditLog } from "../database/schema.ts";

/** What an administrator did, to whom or what, and from where. */
export type AuditEntry = {
  actorId: string;
  /** As `user.deactivate`. */
  action: string;
  targetType: string;
  targetId: string | null;
  /** As it is called now: it may be gone when somebody reads this. */
  targetName: string | null;
  /** What changed, and how. No secret stands here: the row stays for ever. */
  details?: Record<string, unknown>;
  /** The caller's address. */
  ip: string;
};

/** Writes down what an administrator does, in the transaction that does it. */
export async function audit(tx: Transaction, entry: AuditEntry): Promise<void> {
  await tx.insert(adminAuditLog).values({
    id: Bun.randomUUIDv7(),
    ...entry,
    details: entry.details ?? {},
  });
}
