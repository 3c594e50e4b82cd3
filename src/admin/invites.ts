import { audit } from "../audit/audit.ts";
import type { Drizzle } from "../database/connect.ts";
import { createInvite, type InviteDeps, resendInvite, revokeInvite } from "../invites/invites.ts";
import type { CreateInvite, Invite, SentInvite } from "../wire/admin.ts";
import type { By } from "./by.ts";

/** @throws Refusal of `createInvite` */
export function invite(
  db: Drizzle,
  deps: InviteDeps,
  by: By,
  given: CreateInvite,
): Promise<SentInvite> {
  return db.transaction(async (tx) => {
    const sent = await createInvite(tx, deps, by.actorId, given);
    await audit(tx, { ...by, ...entry("create", sent), details: { room_ids: sent.room_ids } });
    return sent;
  });
}

/** @throws Refusal of `resendInvite` */
export function sendInviteAgain(
  db: Drizzle,
  deps: InviteDeps,
  by: By,
  id: string,
): Promise<SentInvite> {
  return db.transaction(async (tx) => {
    const sent = await resendInvite(tx, deps, id);
    await audit(tx, { ...by, ...entry("resend", sent) });
    return sent;
  });
}

/** @throws Refusal of `revokeInvite` */
export function withdrawInvite(db: Drizzle, by: By, id: string): Promise<void> {
  return db.transaction(async (tx) => {
    await audit(tx, { ...by, ...entry("revoke", await revokeInvite(tx, id)) });
  });
}

function entry(verb: "create" | "resend" | "revoke", { id, email }: Invite) {
  return { action: `invite.${verb}`, targetType: "invite", targetId: id, targetName: email };
}
