import { isLastAdmin, targetOf } from "../accounts/administer.ts";
import { updateUser, type UserRow } from "../users/users.ts";
import { cleanDisplayName } from "../users/create-user.ts";
import { type AuditActor, writeAudit } from "../audit/write.ts";
import type { Transaction } from "../database/connect.ts";
import { enqueueJob } from "../jobs-queue/enqueue.ts";
import { getLogger } from "../platform/log.ts";
import { MAX_DISPLAY_NAME_LENGTH } from "../wire/limits.ts";
import type { Claims } from "./claims.ts";
import type { ProviderRow } from "./connection.ts";

const log = getLogger("sign-in");

/** @returns null if the provider sends no usable name */
export function displayNameFrom({ name }: Claims): string | null {
  try {
    return cleanDisplayName(name && [...name].slice(0, MAX_DISPLAY_NAME_LENGTH).join(""));
  } catch {
    return null;
  }
}

/**
 * Updates a locked account from its provider: the picture of a new account, name and picture if
 * `sync_profile` is on, and the administrator role if `admin_group` is set.
 */
export async function applyClaims(
  tx: Transaction,
  provider: ProviderRow,
  claims: Claims,
  user: UserRow,
  { isNew, ip }: { isNew: boolean; ip: string },
): Promise<UserRow> {
  const displayName = displayNameFrom(claims);
  let current = user;
  if (provider.syncProfile && displayName !== null && displayName !== user.displayName) {
    current = await updateUser(tx, user, { displayName });
  }
  if (claims.picture !== null && (isNew || provider.syncProfile)) {
    const { id: userId, avatarVersion } = user;
    const payload = { userId, url: claims.picture, providerId: provider.id, avatarVersion };
    await enqueueJob(tx, { kind: "profile_picture", payload });
  }
  return applyGroups(tx, provider, claims, current, ip);
}

/** A claim never demotes the last administrator or an emergency account. */
async function applyGroups(
  tx: Transaction,
  { slug, groupsClaim, adminGroup }: ProviderRow,
  { groups }: Claims,
  user: UserRow,
  ip: string,
): Promise<UserRow> {
  if (groupsClaim === null || adminGroup === null) return user;
  if (groups === null) {
    log.warn("A provider sent groups in an unknown form, or too many; roles stay as they are.", {
      provider: slug,
      claim: groupsClaim,
      user: user.id,
    });
    return user;
  }
  const isSiteAdmin = groups.includes(adminGroup);
  if (isSiteAdmin === user.isSiteAdmin) return user;
  if (!isSiteAdmin && (user.keepsPassword || (await isLastAdmin(tx, user)))) return user;
  const actor: AuditActor = { actorId: user.id, ip };
  const action = isSiteAdmin ? "user.promote" : "user.demote";
  await writeAudit(tx, actor, action, targetOf(user), { by: "claim" });
  return updateUser(tx, user, { isSiteAdmin });
}
