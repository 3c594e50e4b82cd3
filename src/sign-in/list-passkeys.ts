import { and, asc, eq, gt } from "drizzle-orm";
import type { Query } from "../database/connect.ts";
import { type Params, prepareQuery } from "../database/prepared.ts";
import { passkeys } from "../database/schema.ts";
import { decodeIdCursor, SMALLEST_ID, toPage } from "../platform/cursor.ts";
import { cleanName } from "../platform/names.ts";
import { Refusal } from "../platform/refusal.ts";
import type { Actor } from "../routing/actor.ts";
import { MAX_PASSKEY_NAME_LENGTH } from "../wire/limits.ts";
import type { Page } from "../wire/models.ts";
import type { PageQuery } from "../wire/queries.ts";
import type { Passkey } from "../wire/sign-in.ts";
import type { SignInDeps } from "./deps.ts";
import { rpIdOf } from "./passkey-site.ts";

export type PasskeyRow = typeof passkeys.$inferSelect;

const selectPage = prepareQuery(
  "list_passkeys",
  (db, params: Params<{ userId: string; after: string; limit: number }>) =>
    db
      .select()
      .from(passkeys)
      .where(and(eq(passkeys.userId, params.userId), gt(passkeys.id, params.after)))
      .orderBy(asc(passkeys.id))
      .limit(params.limit),
);

/** The caller's passkeys, the oldest first. */
export async function listPasskeys(
  tx: Query,
  baseUrl: string,
  userId: string,
  query: PageQuery,
): Promise<Page<Passkey>> {
  const after = decodeIdCursor(query.cursor) ?? SMALLEST_ID;
  const rows = await selectPage(tx, { userId, after, limit: query.limit + 1 });
  return toPage(
    rows,
    query.limit,
    (row) => row.id,
    (row) => toPasskey(row, baseUrl),
  );
}

/** @throws Refusal `not_found`, `validation` */
export async function renamePasskey(
  { database: { db }, baseUrl }: SignInDeps,
  actor: Actor,
  id: string,
  name: string,
): Promise<Passkey> {
  const [row] = await db
    .update(passkeys)
    .set({ name: cleanName(name, "/name", MAX_PASSKEY_NAME_LENGTH) })
    .where(and(eq(passkeys.id, id), eq(passkeys.userId, actor.id)))
    .returning();
  if (!row) throw makeUnknownPasskey();
  return toPasskey(row, baseUrl);
}

/** A passkey as its owner sees it. */
export function toPasskey(row: PasskeyRow, baseUrl: string): Passkey {
  return {
    id: row.id,
    name: row.name,
    is_synced: row.isSynced,
    is_usable: row.rpId === rpIdOf(baseUrl),
    went_back_at: row.wentBackAt?.toISOString() ?? null,
    created_at: row.createdAt.toISOString(),
    last_used_at: row.lastUsedAt?.toISOString() ?? null,
  };
}

export function makeUnknownPasskey(): Refusal {
  return new Refusal("not_found", "You have no such passkey.");
}
