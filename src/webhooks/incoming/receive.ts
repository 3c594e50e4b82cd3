import { eq, sql } from "drizzle-orm";
import type { Drizzle } from "../../database/connect.ts";
import { type Params, prepareQuery } from "../../database/prepared.ts";
import { incomingWebhooks } from "../../database/schema.ts";
import { pinPosted } from "../../messages/pin.ts";
import type { Posted, Poster } from "../../messages/post.ts";
import { Refusal } from "../../platform/refusal.ts";
import { hashToken } from "../../platform/secrets.ts";
import { readBody } from "../../routing/body.ts";
import type { Code } from "../../wire/codes.ts";
import { MAX_CONTENT_LENGTH, MAX_WEBHOOK_BYTES } from "../../wire/limits.ts";
import type { PostMessage } from "../../wire/requests.ts";
import { checkGithubSignature } from "./github-signature.ts";
import { readPayload } from "./payload.ts";
import { createPlainResponse } from "./plain-response.ts";
import type { IncomingWebhookDeps } from "./webhooks.ts";

const TOKEN_LENGTH = 43;

/**
 * Posts what a program sends to an incoming webhook. `ok` means that the message is on disk.
 * @throws Refusal, which `http/errors.ts` answers in plain text, as Slack does
 */
export async function receiveWebhook(
  { database, readKey }: IncomingWebhookDeps,
  poster: Poster,
  request: Request,
  token: string,
): Promise<Response> {
  const webhook = await findWebhook(database.db, token);
  if (!webhook) throw new Refusal("not_found", "There is no such webhook.");
  const body = await readBody(request, MAX_WEBHOOK_BYTES);
  const { githubSecret } = webhook;
  if (githubSecret) await checkGithubSignature(readKey, githubSecret, request, body);
  const message = readPayload(request, body);
  // Null for an event that is not worth a message, such as GitHub's ping.
  if (message) {
    const content = truncateContent(message.text);
    const via = { name: message.username ?? webhook.name, iconEmoji: message.iconEmoji };
    const author = { id: webhook.authorId, sessionId: null, token: null };
    const post = (more: PostMessage) =>
      poster.post(author, webhook.roomId, { content, ...more }, via);
    const { threadKey } = message;
    const posted = await (threadKey === null
      ? post({})
      : postInThread(post, toClientId(webhook.id, threadKey)));
    if (message.isPinned && webhook.mayPin) await pinPosted(database.db, posted.message);
  }
  return createPlainResponse(200, "ok");
}

/**
 * Posts into the thread with a webhook's key: the first message with the key is the root, which is
 * found by its `client_id`. Where that was deleted, the next one is the root; where threads are
 * off, each is a message of its own.
 */
async function postInThread(
  post: (more: PostMessage) => Promise<Posted>,
  clientId: string,
): Promise<Posted> {
  const root = await post({ client_id: clientId });
  if (root.isNew) return root;
  try {
    return await post({ thread_id: root.message.id });
  } catch (error) {
    const isRefused = error instanceof Refusal && REFUSED.includes(error.code);
    if (!isRefused) throw error;
    return post({});
  }
}

const REFUSED: Code[] = ["unknown_thread", "threads_off"];

/** A UUIDv8 (RFC 9562, 5.8) that is the same for a key of a webhook. */
function toClientId(webhookId: string, threadKey: string): string {
  const hash = hashToken(`${webhookId} ${threadKey}`).toString("hex");
  return `${hash.slice(0, 8)}-${hash.slice(8, 12)}-8${hash.slice(13, 16)}-a${hash.slice(17, 20)}-${hash.slice(20, 32)}`;
}

const findByToken = prepareQuery(
  "incoming_webhook_by_token",
  (db, params: Params<{ tokenHash: Buffer }>) =>
    db
      .select({
        id: incomingWebhooks.id,
        roomId: incomingWebhooks.roomId,
        name: incomingWebhooks.name,
        authorId: sql<string>`coalesce(${incomingWebhooks.botId}, ${incomingWebhooks.createdBy})`,
        githubSecret: incomingWebhooks.githubSecret,
        mayPin: incomingWebhooks.mayPin,
        isUsedNow: sql<boolean>`${incomingWebhooks.lastUsedAt} > clock_timestamp() - interval '1 minute'`,
      })
      .from(incomingWebhooks)
      .where(eq(incomingWebhooks.tokenHash, params.tokenHash)),
);

/** The webhook with this token; its last use is recorded once a minute at most. */
async function findWebhook(db: Drizzle, token: string) {
  if (token.length !== TOKEN_LENGTH) return undefined;
  const [webhook] = await findByToken(db, { tokenHash: hashToken(token) });
  if (webhook && !webhook.isUsedNow) {
    await db
      .update(incomingWebhooks)
      .set({ lastUsedAt: sql`clock_timestamp()` })
      .where(eq(incomingWebhooks.id, webhook.id));
  }
  return webhook;
}

/** Cuts a text that is too long for a message, and drops what PostgreSQL cannot store. */
function truncateContent(text: string): string {
  const storable = text.replaceAll("\0", "").toWellFormed();
  const characters = [...storable];
  if (characters.length <= MAX_CONTENT_LENGTH) return storable;
  return `${characters.slice(0, MAX_CONTENT_LENGTH - 1).join("")}…`;
}
