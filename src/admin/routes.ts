import type { ProviderDeps } from "../providers/deps.ts";
import type { Database, Drizzle, Transaction } from "../database/connect.ts";
import { adminRoute } from "../routing/route.ts";
import {
  AdminUser,
  AdminWebhook,
  ApiToken,
  AuditRow,
  CreateBot,
  CreateInvite,
  CreateInviteLink,
  CreateToken,
  FailedJob,
  Invite,
  InviteLink,
  NewApiToken,
  Overview,
  PasswordWasReset,
  ResetUserPassword,
  SentInvite,
  SmtpSettings,
  TestSmtp,
  UpdateAdminRoom,
  UpdateBot,
  UpdateSmtp,
  UpdateTeam,
  UpdateUser,
  UploadSettings,
} from "../wire/admin.ts";
import { readOverview } from "./overview.ts";
import { changeAccount, listUsers, resetUserPassword } from "./users.ts";
import {
  deactivateUser,
  demoteUser,
  promoteUser,
  reactivateUser,
  resetSecondFactor,
  setKeepsPassword,
} from "../accounts/administer.ts";
import { Type as t } from "@sinclair/typebox";
import { Id, Page, Room, Team } from "../wire/models.ts";
import {
  AdminRoomQuery,
  AdminUserQuery,
  AuditFilter,
  AuditQuery,
  InviteQuery,
  JobQuery,
  PageQuery,
} from "../wire/queries.ts";
import { readSignInSettings, setSecondFactorPolicy } from "../sign-in/settings.ts";
import {
  CreateIdentityProvider,
  IdentityProvider,
  ProviderTest,
  SignInSettings,
  UpdateIdentityProvider,
  UpdateSignIn,
} from "../wire/providers.ts";
import { type AdminCall, changeAsAdmin } from "./change.ts";
import {
  createProvider,
  deleteProvider,
  listProviders,
  requireProvider,
  updateProvider,
} from "../providers/settings.ts";
import { testProvider } from "../providers/test-provider.ts";
import type { AuditActor } from "../audit/write.ts";
import type { RoomRow } from "../rooms/access.ts";
import { lockRoom, setArchived, setDefaultRoom } from "../rooms/change.ts";
import { forceTransfer } from "../rooms/ownership.ts";
import { listAdminRooms, requireAdminRoom } from "../rooms/read.ts";
import { TransferRoom } from "../wire/requests.ts";
import { listWebhooks } from "./webhooks.ts";
import {
  createInvite,
  type InviteDeps,
  listInvites,
  resendInvite,
  revokeInvite,
} from "../invites/invites.ts";
import { createInviteLink, listInviteLinks, revokeInviteLink } from "../invites/shared-links.ts";
import { parseTime } from "../platform/input/time.ts";
import { readDefaultSections, saveDefaultSections } from "../sections/sections.ts";
import { SaveSections, Sections } from "../wire/sections.ts";
import { BotScheduled } from "../wire/scheduled-messages.ts";
import {
  createBot,
  deleteBotScheduledMessage,
  listBotScheduledMessages,
  requireBot,
  updateBot,
} from "./bots.ts";
import { createToken, listTokens, revokeToken } from "./tokens.ts";
import type { Mailer } from "../email/mailer.ts";
import { readSmtpSettings } from "../email/settings.ts";
import type { ReadKey } from "../platform/secrets/secrets.ts";
import { readUploadLimit } from "../uploads/limit.ts";
import { changeMail, changeUploadLimit, removeMail } from "./settings.ts";
import { changeLogo, changeTeam } from "./team.ts";
import { receiveSquares } from "../avatars/avatars.ts";
import { readSiteName } from "../team/read.ts";
import { withUploadSlot } from "../uploads/upload-slots.ts";
import type { Store } from "../platform/storage/open.ts";
import { readFailedJobs, retryFailedJob } from "../jobs-queue/failed.ts";
import { listAuditRows, streamAuditCsv } from "./audit-log.ts";

export const adminRoutes = (deps: SettingsDeps & InviteDeps & ProviderDeps) => {
  const { database } = deps;
  const { db } = database;
  return [
    ...userRoutes(database),
    ...signInAdminRoutes(database),
    ...providerAdminRoutes(deps),
    ...adminRoomRoutes(database),
    ...inviteRoutes(db, deps),
    ...botRoutes(database),
    ...settingsRoutes(deps),
    ...logRoutes(database),
    ...overviewRoutes(database),
  ];
};

const overviewRoutes = (database: Database) => [
  adminRoute("GET /api/admin/overview", {
    summary: "Get counts of people, rooms, messages and storage",
    description: "For direct conversations, administrators see only their number and size.",
    responses: { 200: Overview },
    handler: () => readOverview(database),
  }),
];

const userRoutes = (database: Database) => {
  const { db } = database;
  return [
    adminRoute("GET /api/admin/users", {
      summary: "List all accounts",
      query: AdminUserQuery,
      responses: { 200: Page(AdminUser) },
      handler: ({ query }) => listUsers(db, query),
    }),
    adminRoute("POST /api/admin/users/:id/deactivate", {
      reauthentication: "required",
      summary: "Deactivate an account and end its sessions",
      responses: { 200: AdminUser },
      errors: ["not_found", "self_lockout", "last_admin", "no_emergency_account"],
      handler: (call) => changeAccount(db, call, deactivateUser),
    }),
    adminRoute("POST /api/admin/users/:id/reactivate", {
      reauthentication: "required",
      summary: "Reactivate an account",
      responses: { 200: AdminUser },
      errors: ["not_found"],
      handler: (call) => changeAccount(db, call, reactivateUser),
    }),
    adminRoute("POST /api/admin/users/:id/promote", {
      reauthentication: "required",
      summary: "Make someone a site administrator",
      responses: { 200: AdminUser },
      errors: ["not_found", "bot_account"],
      handler: (call) => changeAccount(db, call, promoteUser),
    }),
    adminRoute("POST /api/admin/users/:id/demote", {
      reauthentication: "required",
      summary: "Make a site administrator a regular user",
      responses: { 200: AdminUser },
      errors: ["not_found", "self_lockout", "last_admin", "no_emergency_account"],
      handler: (call) => changeAccount(db, call, demoteUser),
    }),
    adminRoute("POST /api/admin/users/:id/reset-password", {
      reauthentication: "required",
      summary: "Set or generate an account's password, and end all its sessions",
      body: t.Optional(ResetUserPassword),
      responses: { 200: PasswordWasReset },
      errors: ["not_found", "self_lockout", "bot_account"],
      handler: (call) => resetUserPassword(db, call, call.body?.password),
    }),
  ];
};

const signInAdminRoutes = ({ db }: Database) => [
  adminRoute("PATCH /api/admin/users/:id", {
    reauthentication: "required",
    summary: "Choose whether an account keeps its password if a provider is exclusive",
    body: UpdateUser,
    responses: { 200: AdminUser },
    errors: ["not_found", "bot_account", "no_emergency_account"],
    handler: (call) => changeAccount(db, call, setKeepsPassword(call.body.keeps_password)),
  }),
  adminRoute("POST /api/admin/users/:id/reset-second-factor", {
    reauthentication: "required",
    summary: "Remove someone's second factor, and end all their sessions",
    responses: { 200: AdminUser },
    errors: ["not_found", "self_lockout", "bot_account", "no_emergency_account"],
    handler: (call) => changeAccount(db, call, resetSecondFactor),
  }),
  adminRoute("GET /api/admin/settings/sign-in", {
    summary: "Get the policy for second factors",
    responses: { 200: SignInSettings },
    handler: () => readSignInSettings(db),
  }),
  adminRoute("PUT /api/admin/settings/sign-in", {
    reauthentication: "required",
    summary: "Set the policy for second factors",
    description: "After a change, everyone under the policy gets its full grace period.",
    body: UpdateSignIn,
    responses: { 200: SignInSettings },
    handler: (call) =>
      changeAsAdmin(db, call, (tx, actor) =>
        setSecondFactorPolicy(tx, actor, call.body.second_factor),
      ),
  }),
];

const providerAdminRoutes = (deps: ProviderDeps) => {
  const { db } = deps.database;
  return [
    adminRoute("GET /api/admin/identity-providers", {
      summary: "List identity providers, without their secrets",
      query: PageQuery,
      responses: { 200: Page(IdentityProvider) },
      handler: ({ query }) => listProviders(db, deps.baseUrl, query),
    }),
    adminRoute("POST /api/admin/identity-providers", {
      reauthentication: "required",
      summary: "Add an identity provider (OpenID Connect)",
      body: CreateIdentityProvider,
      responses: { 201: IdentityProvider },
      errors: ["slug_taken", "no_emergency_account"],
      handler: (call) =>
        changeAsAdmin(db, call, (tx, actor) => createProvider(tx, deps, actor, call.body)),
    }),
    adminRoute("PATCH /api/admin/identity-providers/:id", {
      reauthentication: "required",
      summary: "Change an identity provider",
      description: "Disabling it, or changing its issuer, ends the sessions that started with it.",
      body: UpdateIdentityProvider,
      responses: { 200: IdentityProvider },
      errors: ["not_found", "no_emergency_account", "provider_from_environment"],
      handler: (call) =>
        changeAsAdmin(db, call, (tx, actor) =>
          updateProvider(tx, deps, actor, call.params, call.body),
        ),
    }),
    adminRoute("DELETE /api/admin/identity-providers/:id", {
      reauthentication: "required",
      summary: "Remove an identity provider and end the sessions that started with it",
      responses: { 204: null },
      errors: ["not_found", "no_emergency_account", "provider_from_environment"],
      handler: (call) =>
        changeAsAdmin(db, call, (tx, actor) => deleteProvider(tx, actor, call.params)),
    }),
    adminRoute("POST /api/admin/identity-providers/:id/test", {
      maxSeconds: 90,
      reauthentication: "required",
      summary: "Test an identity provider: its address, endpoints, keys and clock",
      responses: { 200: ProviderTest },
      errors: ["not_found"],
      handler: async ({ params }) => testProvider(deps, await requireProvider(db, params)),
    }),
  ];
};

/** All rooms, private ones included, but not their messages. */
const adminRoomRoutes = (database: Database) => {
  const { db, sql } = database;
  return [
    adminRoute("GET /api/admin/rooms", {
      summary: "List all rooms, including private ones",
      query: AdminRoomQuery,
      responses: { 200: Page(Room) },
      handler: ({ query }) => listAdminRooms(db, query),
    }),
    adminRoute("GET /api/admin/webhooks", {
      summary: "List incoming and outgoing webhooks of all rooms",
      query: PageQuery,
      responses: { 200: Page(AdminWebhook) },
      handler: ({ query }) => listWebhooks(sql, query),
    }),
    adminRoute("PATCH /api/admin/rooms/:id", {
      reauthentication: "none",
      summary: "Choose whether new accounts join a room",
      body: UpdateAdminRoom,
      responses: { 200: Room },
      errors: ["room_not_found", "was_conversation"],
      handler: (call) =>
        changeRoomAsAdmin(db, call, (tx, actor, room) =>
          setDefaultRoom(tx, actor, room, call.body.is_default),
        ),
    }),
    adminRoute("POST /api/admin/rooms/:id/archive", {
      reauthentication: "none",
      summary: "Archive a room",
      responses: { 200: Room },
      errors: ["room_not_found"],
      handler: (call) => changeRoomAsAdmin(db, call, archive),
    }),
    adminRoute("POST /api/admin/rooms/:id/unarchive", {
      reauthentication: "none",
      summary: "Unarchive a room",
      responses: { 200: Room },
      errors: ["room_not_found"],
      handler: (call) => changeRoomAsAdmin(db, call, unarchive),
    }),
    adminRoute("POST /api/admin/rooms/:id/transfer", {
      reauthentication: "required",
      summary: "Make someone a room's owner",
      body: TransferRoom,
      responses: { 200: Room },
      errors: ["room_not_found", "unknown_user", "was_conversation"],
      handler: (call) =>
        changeRoomAsAdmin(db, call, (tx, actor, room) =>
          forceTransfer(tx, actor, room, call.body.user_id),
        ),
    }),
  ];
};

type RoomChange = (tx: Transaction, actor: AuditActor, room: RoomRow) => Promise<unknown>;

const archive: RoomChange = (tx, actor, room) => setArchived(tx, actor, room, true);
const unarchive: RoomChange = (tx, actor, room) => setArchived(tx, actor, room, false);

/** @throws Refusal `room_not_found`, and those of `changeAsAdmin` and of the change */
function changeRoomAsAdmin(
  db: Drizzle,
  call: AdminCall & { params: { id: string } },
  change: RoomChange,
): Promise<Room> {
  const { id } = call.params;
  return changeAsAdmin(db, call, async (tx, actor) => {
    await change(tx, actor, await lockRoom(tx, { id }));
    return requireAdminRoom(tx, id);
  });
}

const inviteRoutes = (db: Drizzle, deps: InviteDeps) => [
  adminRoute("GET /api/admin/invites", {
    summary: "List invites",
    query: InviteQuery,
    responses: { 200: Page(Invite) },
    handler: ({ query }) => listInvites(db, query),
  }),
  adminRoute("POST /api/admin/invites", {
    reauthentication: "required",
    summary: "Invite someone by email; without a mail server the response has the link",
    body: CreateInvite,
    responses: { 201: SentInvite },
    errors: ["email_taken", "already_invited"],
    handler: (call) =>
      changeAsAdmin(db, call, (tx, actor) => createInvite(tx, deps, actor, call.body)),
  }),
  adminRoute("POST /api/admin/invites/:id/resend", {
    reauthentication: "required",
    summary: "Send an invite again, with a new link",
    responses: { 200: SentInvite },
    errors: ["not_found", "invite_closed"],
    handler: (call) =>
      changeAsAdmin(db, call, (tx, actor) => resendInvite(tx, deps, actor, call.params.id)),
  }),
  adminRoute("DELETE /api/admin/invites/:id", {
    reauthentication: "required",
    summary: "Revoke an invite",
    responses: { 204: null },
    errors: ["not_found", "invite_closed"],
    handler: (call) =>
      changeAsAdmin(db, call, (tx, actor) => revokeInvite(tx, actor, call.params.id)),
  }),
  adminRoute("GET /api/admin/invite-links", {
    summary: "List signup links",
    query: PageQuery,
    responses: { 200: Page(InviteLink) },
    handler: ({ query }) => listInviteLinks(db, deps, query),
  }),
  adminRoute("POST /api/admin/invite-links", {
    reauthentication: "required",
    summary: "Create a signup link that several people may use",
    body: t.Optional(CreateInviteLink),
    responses: { 201: InviteLink },
    errors: ["too_many_invite_links"],
    handler: (call) =>
      changeAsAdmin(db, call, (tx, actor) =>
        createInviteLink(tx, deps, actor, call.actor.id, call.body ?? {}),
      ),
  }),
  adminRoute("DELETE /api/admin/invite-links/:id", {
    reauthentication: "required",
    summary: "Revoke a signup link",
    responses: { 204: null },
    errors: ["not_found", "invite_closed"],
    handler: (call) =>
      changeAsAdmin(db, call, (tx, actor) => revokeInviteLink(tx, deps, actor, call.params.id)),
  }),
];

const botRoutes = ({ db }: Database) => [
  adminRoute("GET /api/admin/bots", {
    summary: "List bots",
    query: PageQuery,
    responses: { 200: Page(AdminUser) },
    handler: ({ query }) => listUsers(db, { ...query, kind: "bot" }),
  }),
  adminRoute("POST /api/admin/bots", {
    reauthentication: "required",
    summary: "Create a bot",
    body: CreateBot,
    responses: { 201: AdminUser },
    errors: ["username_taken"],
    handler: (call) => changeAsAdmin(db, call, (tx, actor) => createBot(tx, actor, call.body)),
  }),
  adminRoute("PATCH /api/admin/bots/:id", {
    reauthentication: "required",
    summary: "Rename, deactivate or reactivate a bot",
    body: UpdateBot,
    responses: { 200: AdminUser },
    errors: ["not_found"],
    handler: (call) =>
      changeAsAdmin(db, call, (tx, actor) => updateBot(tx, actor, call.params.id, call.body)),
  }),
  adminRoute("GET /api/admin/bots/:id/tokens", {
    summary: "List a bot's tokens, without their secrets",
    query: PageQuery,
    responses: { 200: Page(ApiToken) },
    errors: ["not_found"],
    handler: async ({ params, query }) =>
      listTokens(db, (await requireBot(db, params.id)).id, query),
  }),
  adminRoute("GET /api/admin/bots/:id/scheduled", {
    summary: "List a bot's scheduled and failed messages by time",
    description: "The text is shown only for rooms that the administrator may read.",
    query: PageQuery,
    responses: { 200: Page(BotScheduled) },
    errors: ["not_found"],
    handler: ({ actor, params, query }) => listBotScheduledMessages(db, actor.id, params.id, query),
  }),
  adminRoute("DELETE /api/admin/bots/:id/scheduled/:scheduled_id", {
    reauthentication: "none",
    summary: "Delete a bot's scheduled message",
    responses: { 204: null },
    errors: ["not_found", "scheduled_not_found", "already_sent"],
    async handler(call) {
      const { id, scheduled_id } = call.params;
      await changeAsAdmin(db, call, (tx, actor) =>
        deleteBotScheduledMessage(tx, actor, id, scheduled_id),
      );
    },
  }),
  adminRoute("POST /api/admin/bots/:id/tokens", {
    reauthentication: "required",
    summary: "Create a token, which only this response contains",
    body: CreateToken,
    responses: { 201: NewApiToken },
    errors: ["not_found"],
    async handler(call) {
      const { name, scopes, expires_at } = call.body;
      const expiresAt = expires_at ? parseTime(expires_at, "/expires_at") : null;
      const params = { name, scopes, expiresAt };
      return changeAsAdmin(db, call, async (tx, actor) =>
        createToken(tx, actor, await requireBot(tx, call.params.id), params),
      );
    },
  }),
  adminRoute("DELETE /api/admin/bots/:id/tokens/:token_id", {
    reauthentication: "required",
    summary: "Revoke a token and close its sockets",
    responses: { 204: null },
    errors: ["not_found"],
    async handler(call) {
      const { id, token_id } = call.params;
      await changeAsAdmin(db, call, (tx, actor) => revokeToken(tx, actor, token_id, id));
    },
  }),
];

type SettingsDeps = {
  database: Database;
  store: Store;
  readKey: ReadKey;
  mailer: Mailer;
  baseUrl: string;
};

/** The functions of a setting are in the folder that uses it, and its schema in `wire/admin.ts`. */
const settingsRoutes = ({ database: { db }, readKey, mailer, store, baseUrl }: SettingsDeps) => [
  adminRoute("PUT /api/admin/settings/team", {
    reauthentication: "none",
    summary: "Set the team's name, or the step of the setup that was completed",
    body: UpdateTeam,
    responses: { 200: Team },
    handler: (call) => changeAsAdmin(db, call, (tx, actor) => changeTeam(tx, actor, call.body)),
  }),
  adminRoute("PUT /api/admin/settings/team/logo", {
    reauthentication: "none",
    summary: "Set the team's logo",
    body: "file",
    responses: { 200: Team },
    errors: ["too_large", "rate_limited", "not_an_image", "image_too_big"],
    handler: (call) =>
      withUploadSlot(call.actor.id, async () => {
        const squares = await receiveSquares(db, store, call.request);
        return changeAsAdmin(db, call, (tx, actor) => changeLogo(tx, actor, squares));
      }),
  }),
  adminRoute("DELETE /api/admin/settings/team/logo", {
    reauthentication: "none",
    summary: "Remove the team's logo",
    responses: { 200: Team },
    handler: (call) => changeAsAdmin(db, call, (tx, actor) => changeLogo(tx, actor, [])),
  }),
  adminRoute("GET /api/admin/settings/smtp", {
    summary: "Get the mail server's settings",
    responses: { 200: SmtpSettings },
    handler: () => readSmtpSettings(db),
  }),
  adminRoute("PUT /api/admin/settings/smtp", {
    reauthentication: "required",
    summary: "Set the mail server; without a password the stored one stays",
    body: UpdateSmtp,
    responses: { 200: SmtpSettings },
    handler: (call) =>
      changeAsAdmin(db, call, (tx, actor) => changeMail(tx, actor, readKey, call.body)),
  }),
  adminRoute("DELETE /api/admin/settings/smtp", {
    reauthentication: "none",
    summary: "Remove the mail server's settings",
    responses: { 204: null },
    handler: (call) =>
      changeAsAdmin(db, call, async (tx, actor) => {
        await removeMail(tx, actor);
      }),
  }),
  adminRoute("POST /api/admin/settings/smtp/test", {
    maxSeconds: 90,
    reauthentication: "none",
    summary: "Send a test mail and report the mail server's response",
    body: TestSmtp,
    responses: { 200: t.Object({ to: t.String() }) },
    errors: ["smtp_not_configured", "delivery_failed"],
    async handler({ body }) {
      await mailer.sendTest(body.to, await readSiteName(db, baseUrl));
      return { to: body.to };
    },
  }),
  adminRoute("GET /api/admin/settings/sections", {
    summary: "Get the sidebar sections with which new accounts start",
    responses: { 200: Sections },
    handler: () => readDefaultSections(db),
  }),
  adminRoute("PUT /api/admin/settings/sections", {
    reauthentication: "none",
    summary: "Replace the sidebar sections with which new accounts start",
    description:
      "Existing accounts do not change. A new one has the sections with those of the listed rooms that it joins. Conversations are left out. `base_version` works as for `PUT /api/auth/me/sections`.",
    body: SaveSections,
    responses: { 200: Sections },
    errors: ["sections_changed"],
    handler: (call) =>
      changeAsAdmin(db, call, (tx, actor) => saveDefaultSections(tx, actor, call.body)),
  }),
  adminRoute("GET /api/admin/settings/uploads", {
    summary: "Get the size limit of uploads",
    responses: { 200: UploadSettings },
    handler: async () => ({ max_bytes: await readUploadLimit(db) }),
  }),
  adminRoute("PUT /api/admin/settings/uploads", {
    reauthentication: "none",
    summary: "Set the size limit of uploads",
    body: UploadSettings,
    responses: { 200: UploadSettings },
    handler: (call) =>
      changeAsAdmin(db, call, async (tx, actor) => {
        const { max_bytes } = call.body;
        await changeUploadLimit(tx, actor, max_bytes);
        return { max_bytes };
      }),
  }),
];

const logRoutes = ({ db }: Database) => [
  adminRoute("GET /api/admin/audit-log", {
    summary: "List the audit log",
    query: AuditQuery,
    responses: { 200: Page(AuditRow) },
    handler: ({ query }) => listAuditRows(db, query),
  }),
  adminRoute("GET /api/admin/audit-log.csv", {
    summary: "Get the audit log as CSV",
    query: AuditFilter,
    responses: { 200: { media: "text/csv", description: "RFC 4180, with a header" } },
    handler: ({ query }) => streamAuditCsv(db, query),
  }),
  adminRoute("GET /api/admin/jobs", {
    summary: "List failed jobs",
    query: JobQuery,
    responses: { 200: Page(FailedJob) },
    handler: ({ query }) => readFailedJobs(db, query),
  }),
  adminRoute("POST /api/admin/jobs/:id/retry", {
    reauthentication: "none",
    summary: "Retry a failed job",
    responses: { 200: t.Object({ id: Id, kind: t.String(), state: t.Literal("waiting") }) },
    errors: ["not_found"],
    handler: (call) =>
      changeAsAdmin(db, call, (tx, actor) => retryFailedJob(tx, actor, call.params.id)),
  }),
];
