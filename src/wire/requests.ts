/**
 * The bodies of requests. Fields that are not named here are ignored. `expected` ends the
 * sentence "`name` must be …" of a refusal.
 */

export * from "./requests/fields.ts";
export * from "./requests/accounts.ts";
export * from "./requests/rooms.ts";
export * from "./requests/messages.ts";
