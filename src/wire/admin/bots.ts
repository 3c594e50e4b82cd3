import { type Static, Type as t } from "@sinclair/typebox";
import { MAX_TOKEN_NAME_LENGTH } from "../limits.ts";
import { Id, Nullable, Timestamp, User } from "../models.ts";
import { DisplayName, nameOf, Time, Username } from "../requests.ts";
import { SCOPES } from "../scopes.ts";

/** Bots, and the tokens of bots. */

export const CreateBot = t.Object({
  username: Username,
  display_name: t.Optional(Nullable(DisplayName)),
});
export const UpdateBot = t.Partial(
  t.Object({ display_name: Nullable(DisplayName), is_active: t.Boolean() }),
);
export const Scope = t.Union(SCOPES.map((scope) => t.Literal(scope)));

/** A token, after the response that created it. */
export const ApiToken = t.Object({
  id: Id,
  name: t.String(),
  last4: t.String({ description: "Its last four characters" }),
  scopes: t.Array(Scope),
  expires_at: Nullable(Timestamp),
  last_used_at: Nullable(Timestamp),
  created_at: Timestamp,
  created_by: Nullable(User),
});

/** The token itself is in this response only. */
export const NewApiToken = t.Composite([ApiToken, t.Object({ token: t.String() })]);
export const CreateToken = t.Object({
  name: nameOf(MAX_TOKEN_NAME_LENGTH),
  scopes: t.Array(Scope, { uniqueItems: true }),
  expires_at: t.Optional(Nullable(Time)),
});

export type CreateBot = Static<typeof CreateBot>;
export type UpdateBot = Static<typeof UpdateBot>;
export type ApiToken = Static<typeof ApiToken>;
export type NewApiToken = Static<typeof NewApiToken>;
export type CreateToken = Static<typeof CreateToken>;
