import { and, desc, eq, isNull, lt, sql } from "drizzle-orm";
import { toUser, type UserRow, userColumns } from "../users/users.ts";
import { type AuditActor, writeAudit } from "../audit/write.ts";
import type { Query, Transaction } from "../database/connect.ts";
import { violatesConstraint } from "../database/errors.ts";
import { apiTokens, users } from "../database/schema.ts";
import { blockScheduledMessages } from "../authentication/block-scheduled.ts";
import { notifyInstances } from "../feed/signals.ts";
import { decodeIdCursor, toPage } from "../platform/input/cursor.ts";
import { LARGEST_ID } from "../platform/ids.ts";
import { cleanName } from "../platform/input/names.ts";
import { makeFieldRefusal, Refusal } from "../platform/refusal.ts";
import { hashToken, randomToken } from "../platform/secrets/secrets.ts";
import type { ApiToken, NewApiToken } from "../wire/admin.ts";
import { MAX_TOKEN_NAME_LENGTH, TOKEN_PREFIX } from "../wire/limits.ts";
import type { Page } from "../wire/models.ts";
import type { PageQuery } from "../wire/queries.ts";
import type { Scope } from "../wire/scopes.ts";

type NewToken = { name: string; scopes: Scope[]; expiresAt: Date | null };

/** A bot's tokens that are not revoked, the latest first. */
export async function listTokens(
  tx: Query,
  botId: string,
  query: PageQuery,
): Promise<Page<ApiToken>> {
  const before = decodeIdCursor(query.cursor) ?? LARGEST_ID;
  const rows = await selectTokens(tx)
    .where(and(eq(apiTokens.userId, botId), isNull(apiTokens.revokedAt), lt(apiTokens.id, before)))
    .orderBy(desc(apiTokens.id))
    .limit(query.limit + 1);
  return toPage(rows, query.limit, (row) => row.token.id, toApiToken);
}

/** Only this result contains the token; the database has its hash. @throws Refusal `validation` */
export async function createToken(
  tx: Transaction,
  actor: AuditActor,
  bot: UserRow,
  params: NewToken,
): Promise<NewApiToken> {
  const token = TOKEN_PREFIX + randomToken();
  const id = Bun.randomUUIDv7();
  const name = cleanName(params.name, "/name", MAX_TOKEN_NAME_LENGTH);
  const scopes = [...new Set(params.scopes)];
  const { expiresAt } = params;
  const values = { id, name, scopes, expiresAt, userId: bot.id, createdBy: actor.actorId };
  try {
    const secret = { tokenHash: hashToken(token), last4: token.slice(-4) };
    await tx.insert(apiTokens).values({ ...values, ...secret });
  } catch (error) {
    if (!violatesConstraint(error, "api_tokens_expiry")) throw error;
    throw makeFieldRefusal("/expires_at", "The expiry must be in the future.");
  }
  const expires_at = expiresAt?.toISOString() ?? null;
  const details = { bot: bot.username, scopes, expires_at };
  await writeAudit(tx, actor, "token.create", { id, name }, details);
  const [row] = await selectTokens(tx).where(eq(apiTokens.id, id));
  if (!row) throw new Error("createToken: no such token");
  return { ...toApiToken(row), token };
}

/**
 * Revokes a token and closes its sockets on all instances.
 * @param botId the bot to which the token must belong; null for any bot
 * @throws Refusal `not_found`, also for a revoked token
 */
export async function revokeToken(
  tx: Transaction,
  actor: AuditActor,
  id: string,
  botId: string | null = null,
): Promise<{ id: string; name: string; bot: string }> {
  const [row] = await tx
    .update(apiTokens)
    .set({ revokedAt: sql`clock_timestamp()` })
    .from(users)
    .where(
      and(
        eq(apiTokens.id, id),
        isNull(apiTokens.revokedAt),
        eq(users.id, apiTokens.userId),
        botId === null ? undefined : eq(apiTokens.userId, botId),
      ),
    )
    .returning({ name: apiTokens.name, userId: users.id, bot: users.username });
  if (!row) throw new Refusal("not_found", "There is no such token, or it was revoked.");
  const { name, userId, bot } = row;
  await blockScheduledMessages(tx, [userId], "invalid_token", { tokenId: id });
  await notifyInstances(tx, { kind: "token_revoked", user_id: userId, token_id: id });
  await writeAudit(tx, actor, "token.revoke", { id, name }, { bot });
  return { id, name, bot };
}

function selectTokens(tx: Query) {
  return tx
    .select({ token: apiTokens, maker: userColumns })
    .from(apiTokens)
    .leftJoin(users, eq(users.id, apiTokens.createdBy))
    .$dynamic();
}

type TokenRow = Awaited<ReturnType<typeof selectTokens>>[number];

function toApiToken({ token, maker }: TokenRow): ApiToken {
  return {
    id: token.id,
    name: token.name,
    last4: token.last4,
    scopes: token.scopes,
    expires_at: token.expiresAt?.toISOString() ?? null,
    last_used_at: token.lastUsedAt?.toISOString() ?? null,
    created_at: token.createdAt.toISOString(),
    created_by: maker && toUser(maker),
  };
}
