/** Permissions of an API token. `manage:rooms` can be granted, but no route requires it yet. */
export const SCOPES = ["read:messages", "write:messages", "manage:rooms"] as const;
export type Scope = (typeof SCOPES)[number];
