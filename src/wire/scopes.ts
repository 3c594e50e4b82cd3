/** What an API token can allow. `manage:rooms` is stored with a token; no route requires it yet. */
export const SCOPES = ["read:messages", "write:messages", "manage:rooms"] as const;
export type Scope = (typeof SCOPES)[number];
