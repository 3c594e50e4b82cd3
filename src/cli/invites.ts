import { COMMAND_LINE } from "../audit/write.ts";
import { baseUrlOf } from "../config.ts";
import { withDatabase } from "../database/open.ts";
import {
  createInvite,
  type InviteDeps,
  listInvites,
  requireInviteId,
  resendInvite,
  revokeInvite,
} from "../invites/invites.ts";
import { createInviteLink, listInviteLinks, revokeInviteLink } from "../invites/shared-links.ts";
import { Refusal } from "../platform/refusal.ts";
import { requireUser } from "../users/users.ts";
import type { InviteLink, SentInvite } from "../wire/admin.ts";
import {
  INVITE_DAYS,
  INVITE_LINK_DAYS,
  INVITE_LINK_USES,
  MAX_INVITE_LINK_DAYS,
  MAX_INVITE_LINK_USES,
} from "../wire/limits.ts";
import { EMAIL_PATTERN } from "../wire/patterns.ts";
import {
  type Call,
  type Command,
  createRoomFinder,
  inDatabase,
  inTransaction,
  listResult,
  parseCount,
  readAllPages,
  type Result,
  valuesOf,
} from "./command.ts";
import { readKeyOf } from "./secrets.ts";

function inviteDepsOf({ config }: Call): InviteDeps {
  return { readKey: readKeyOf(config), baseUrl: baseUrlOf(config) };
}

function toResult(invite: SentInvite): Result {
  const text = invite.link
    ? `Mail is not configured. Send them this link (works once, expires in ${INVITE_DAYS} days):\n${invite.link}`
    : `The invite for ${invite.email} will be mailed.`;
  return { json: invite, text };
}

export const inviteCommands: Command[] = [
  /** Emails are sent only by a running service. */
  {
    name: "invite",
    args: ["<email>"],
    summary: "invite someone by email, or print the link if mail is not configured",
    effect: "audited",
    options: {
      room: { value: "<name>", multiple: true, help: "a room to join at signup; can be repeated" },
    },
    async run(call) {
      const email = call.arg;
      if (!new RegExp(EMAIL_PATTERN).test(email)) {
        throw new Refusal("validation", `${email} is not an email address.`);
      }
      const names = valuesOf(call, "room");
      return withDatabase(call.config, async ({ db }) => {
        const room_ids = names.length > 0 ? names.map(await createRoomFinder(db)) : [];
        return toResult(
          await db.transaction((tx) =>
            createInvite(tx, inviteDepsOf(call), COMMAND_LINE, { email, room_ids }),
          ),
        );
      });
    },
  },
  {
    name: "invite list",
    summary: "list all invites, the latest first",
    effect: "read",
    run: inDatabase(async ({ db }) => {
      const invites = await readAllPages((page) => listInvites(db, page));
      return listResult(invites, "No invites yet.", (item) => [
        item.email,
        item.status,
        `by ${item.invited_by?.username ?? "the command line"}`,
        item.status === "pending" ? `until ${item.expires_at}` : "",
      ]);
    }),
  },
  {
    name: "invite resend",
    args: ["<email>"],
    summary: "send an invite again with a new link; the previous link stops working",
    effect: "audited",
    run: inTransaction(async (tx, call) => {
      const id = await requireInviteId(tx, call.arg);
      return toResult(await resendInvite(tx, inviteDepsOf(call), COMMAND_LINE, id));
    }),
  },
  {
    name: "invite revoke",
    args: ["<email>"],
    summary: "revoke an invite; its link stops working",
    effect: "audited",
    run: inTransaction(async (tx, call) => {
      const email = call.arg.trim().toLowerCase();
      const id = await requireInviteId(tx, email);
      await revokeInvite(tx, COMMAND_LINE, id);
      return { json: { id, email }, text: `Revoked the invite for ${email}.` };
    }),
  },
];

export const inviteLinkCommands: Command[] = [
  {
    name: "invite-link list",
    summary: "list links that several people may use, the latest first",
    effect: "read",
    run: inDatabase(async ({ db }, call) => {
      const links = await readAllPages((page) => listInviteLinks(db, inviteDepsOf(call), page));
      return listResult(links, "No links yet.", (item) => [
        item.id,
        item.is_active ? "open" : "closed",
        `${item.uses} of ${item.max_uses}`,
        `until ${item.expires_at}`,
        item.link ?? "",
      ]);
    }),
  },
  {
    name: "invite-link create",
    args: ["<administrator>"],
    summary: "create a link that several people may use, in an administrator's name",
    effect: "audited",
    options: {
      days: { value: "<days>", help: `how long it works (default: ${INVITE_LINK_DAYS})` },
      uses: { value: "<number>", help: `how many may use it (default: ${INVITE_LINK_USES})` },
    },
    run: (call) => {
      const { days: dayText = INVITE_LINK_DAYS, uses: useText = INVITE_LINK_USES } = call.options;
      const days = parseCount("--days", String(dayText), 1, MAX_INVITE_LINK_DAYS);
      const max_uses = parseCount("--uses", String(useText), 1, MAX_INVITE_LINK_USES);
      return withDatabase(call.config, async ({ db }) => {
        const invite = await db.transaction(async (tx): Promise<InviteLink> => {
          const user = await requireUser(tx, { username: call.arg });
          if (!user.isSiteAdmin || !user.isActive) {
            throw new Refusal("not_site_admin", `${user.username} is not an administrator.`);
          }
          const deps = inviteDepsOf(call);
          return createInviteLink(tx, deps, COMMAND_LINE, user.id, { days, max_uses });
        });
        const text = `${max_uses} people may sign up with it until ${invite.expires_at}:\n${invite.link}`;
        return { json: invite, text };
      });
    },
  },
  {
    name: "invite-link revoke",
    args: ["<link id>"],
    summary: "revoke a link that several people may use",
    effect: "audited",
    run: inTransaction(async (tx, call) => {
      const id = call.arg;
      await revokeInviteLink(tx, inviteDepsOf(call), COMMAND_LINE, id);
      return { json: { id }, text: "The link no longer works." };
    }),
  },
];
