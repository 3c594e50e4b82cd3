/**
 * Every table, by the feature that owns it. Ids are UUIDv7, made by the service, so that they sort by
 * age.
 */

export * from "./schema/accounts.ts";
export * from "./schema/credentials.ts";
export * from "./schema/providers.ts";
export * from "./schema/sign-in.ts";
export * from "./schema/rooms.ts";
export * from "./schema/invites.ts";
export * from "./schema/uploads.ts";
export * from "./schema/messages.ts";
export * from "./schema/message-parts.ts";
export * from "./schema/saved-messages.ts";
export * from "./schema/scheduled-messages.ts";
export * from "./schema/drafts.ts";
export * from "./schema/search.ts";
export * from "./schema/site.ts";
export * from "./schema/push.ts";
export * from "./schema/webhooks.ts";
export * from "./schema/jobs.ts";
export * from "./schema/presence.ts";
