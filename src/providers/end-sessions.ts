import { and, eq, inArray } from "drizzle-orm";
import type { Transaction } from "../database/connect.ts";
import { loginChallenges, sessions } from "../database/schema.ts";
import { blockScheduled } from "../accounts/block-scheduled.ts";
import { IDS_PER_SIGNAL, notifyInstances, type Signal } from "../feed/signals.ts";

/**
 * Ends sessions that began with a provider, with their sockets, blocks what was scheduled with them,
 * and ends sign-ins that wait for a second
 * factor after it.
 * @param only those of one session there, or of these users; all without it
 * @returns how many ended
 */
export async function endProviderSessions(
  tx: Transaction,
  providerId: string,
  only: { sid?: string; userIds?: string[] } = {},
): Promise<number> {
  const { sid, userIds } = only;
  const ended = await tx
    .delete(sessions)
    .where(
      and(
        eq(sessions.providerId, providerId),
        sid === undefined ? undefined : eq(sessions.idpSid, sid),
        userIds === undefined ? undefined : inArray(sessions.userId, userIds),
      ),
    )
    .returning({ id: sessions.id, userId: sessions.userId });
  await tx
    .delete(loginChallenges)
    .where(
      and(
        eq(loginChallenges.providerId, providerId),
        sid === undefined ? undefined : eq(loginChallenges.idpSid, sid),
        userIds === undefined ? undefined : inArray(loginChallenges.userId, userIds),
      ),
    );
  if (ended.length > 0) {
    const owners = [...new Set(ended.map((row) => row.userId))];
    const sessionIds = ended.map(({ id }) => id);
    await blockScheduled(tx, owners, "session_ended", { sessionIds });
  }
  const signals: Signal[] = [];
  for (const [user_id, rows] of Map.groupBy(ended, (row) => row.userId)) {
    for (let i = 0; i < rows.length; i += IDS_PER_SIGNAL) {
      const session_ids = rows.slice(i, i + IDS_PER_SIGNAL).map(({ id }) => id);
      signals.push({ kind: "sessions_ended", user_id, session_ids });
    }
  }
  if (signals.length > 0) await notifyInstances(tx, ...signals);
  return ended.length;
}
