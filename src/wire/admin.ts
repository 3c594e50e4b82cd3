/** The requests and responses of administration. */

export * from "./admin/people.ts";
export * from "./admin/site.ts";
export * from "./admin/bots.ts";
export * from "./admin/invites.ts";
