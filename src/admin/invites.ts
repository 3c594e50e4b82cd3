import { type AuditActor, writeAudit } from "../audit/write.ts";
import type { Drizzle } from "../database/connect.ts";
import { createInvite, type InviteDeps, resendInvite, revokeInvite } from "../invites/invites.ts";
import type { CreateInvite, Invite, SentInvite } from "../wire/admin.ts";

/** @throws Refusal of `createInvite` */
export function invite(
  db: Drizzle,
  deps: InviteDeps,
  actor: AuditActor,
  given: CreateInvite,
): Promise<SentInvite> {
  return db.transaction(async (tx) => {
    const sent = await createInvite(tx, deps, actor.actorId, given);
    await writeAudit(tx, actor, "invite.create", targetOf(sent), { room_ids: sent.room_ids });
    return sent;
  });
}

/** @throws Refusal of `resendInvite` */
export function sendInviteAgain(
  db: Drizzle,
  deps: InviteDeps,
  actor: AuditActor,
  id: string,
): Promise<SentInvite> {
  return db.transaction(async (tx) => {
    const sent = await resendInvite(tx, deps, id);
    await writeAudit(tx, actor, "invite.resend", targetOf(sent));
    return sent;
  });
}

/** @throws Refusal of `revokeInvite` */
export function withdrawInvite(db: Drizzle, actor: AuditActor, id: string): Promise<void> {
  return db.transaction(async (tx) => {
    await writeAudit(tx, actor, "invite.revoke", targetOf(await revokeInvite(tx, id)));
  });
}

const targetOf = ({ id, email }: Invite) => ({ id, name: email });
