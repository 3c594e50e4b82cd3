import { eq, sql } from "drizzle-orm";
import type { Drizzle } from "../../database/connect.ts";
import { incomingWebhooks } from "../../database/schema.ts";
import { type PostKey, postOnce } from "../../messages/idempotency.ts";
import { pinPosted } from "../../messages/pin.ts";
import type { PostResult, Poster } from "../../messages/post.ts";
import { makeUnknownWebhookRefusal } from "../../messages/refusals.ts";
import { Refusal } from "../../platform/refusal.ts";
import { deriveId } from "../../platform/ids.ts";
import { hashToken } from "../../platform/secrets/secrets.ts";
import { readBody } from "../../routing/input.ts";
import type { Code } from "../../wire/codes.ts";
import { MAX_CONTENT_LENGTH, MAX_WEBHOOK_BYTES } from "../../wire/limits.ts";
import type { Message } from "../../wire/models.ts";
import type { PostMessage } from "../../wire/requests.ts";
import { checkGithubSignature } from "./github.ts";
import { readPayload } from "./payload.ts";
import { createPlainResponse } from "./plain-response.ts";
import type { IncomingWebhookDeps } from "./webhooks.ts";

const TOKEN_LENGTH = 43;

/** `ok` means that the message is on disk. `http/errors.ts` sends refusals as plain text. */
export async function receiveWebhook(
  { database, readKey }: IncomingWebhookDeps,
  poster: Poster,
  request: Request,
  token: string,
): Promise<Response> {
  const webhook = await findWebhook(database.db, token);
  if (!webhook) throw makeUnknownWebhookRefusal();
  const body = await readBody(request, MAX_WEBHOOK_BYTES);
  const { githubSecret } = webhook;
  if (githubSecret) await checkGithubSignature(readKey, githubSecret, request, body);
  const message = readPayload(request, body);
  // Null for an event that is ignored.
  if (message) {
    const content = truncateContent(message.text);
    const name = message.username ?? webhook.name;
    const via = { webhookId: webhook.id, name, iconEmoji: message.iconEmoji };
    const author = { id: webhook.authorId, sessionId: null, token: null };
    const post = (fields: PostMessage) =>
      poster.post(author, webhook.roomId, { content, ...fields }, via);
    const { threadKey } = message;
    const fingerprint = [content, name, message.iconEmoji, threadKey];
    const result = await postOnce(database, webhook.id, request.headers, fingerprint, (key) =>
      threadKey === null
        ? post({ client_id: key?.clientId })
        : postInThread(post, content, deriveId(`${webhook.id} ${threadKey}`), key),
    );
    const isNew = !("earlierId" in result);
    if (isNew && message.isPinned && webhook.mayPin) await pinPosted(database.db, result.message);
  }
  return createPlainResponse(200, "ok");
}

/**
 * Posts into the thread with a key. The first message with the key is the root, found by its
 * `client_id`. If the root was deleted, this message is the next root; if threads are off, each
 * message is posted on its own.
 */
async function postInThread(
  post: (fields: PostMessage) => Promise<PostResult>,
  content: string,
  rootClientId: string,
  key: PostKey | null,
): Promise<PostResult> {
  const root = await post({ client_id: rootClientId });
  if (root.isNew || wasPostedWith(key, root.message, content)) return root;
  const client_id = key?.clientId;
  try {
    return await post({ thread_id: root.message.id, client_id });
  } catch (error) {
    const isRefused = error instanceof Refusal && THREAD_REFUSALS.includes(error.code);
    if (!isRefused) throw error;
    return post({ client_id });
  }
}

/** Whether another request with the same key has posted the root. */
function wasPostedWith(key: PostKey | null, root: Message, content: string): boolean {
  if (!key || root.content !== content) return false;
  return Date.parse(root.created_at) >= key.createdAt.getTime();
}

const THREAD_REFUSALS: Code[] = ["unknown_thread", "threads_off"];

/** Finds the webhook with this token, and records its use at most once a minute. */
async function findWebhook(db: Drizzle, token: string) {
  if (token.length !== TOKEN_LENGTH) return undefined;
  const [webhook] = await db
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
    .where(eq(incomingWebhooks.tokenHash, hashToken(token)));
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
