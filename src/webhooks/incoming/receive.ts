import type { SqlClient } from "../../database/connect.ts";
import type { Poster } from "../../messages/post.ts";
import { hashToken } from "../../platform/secrets.ts";
import { MAX_CONTENT_LENGTH, MAX_WEBHOOK_BYTES } from "../../wire/limits.ts";
import { checkSignature } from "./github-signature.ts";
import type { HookDeps } from "./hooks.ts";
import { readPosting } from "./posting.ts";
import { Answer, plainResponse } from "./answer.ts";

type Hook = {
  id: string;
  room_id: string;
  name: string;
  author_id: string;
  github_secret: Buffer | null;
};

/**
 * Takes what a program posts, and answers as Slack does, in plain text: alert senders compare it.
 * Nothing that was taken is lost: `ok` means that it is on disk.
 */
export async function receive(
  deps: HookDeps,
  poster: Poster,
  request: Request,
  token: string,
): Promise<Response> {
  try {
    const hook = await findHook(deps.database.sql, token);
    if (!hook) throw new Answer(404, "no_service");
    const body = await readBody(request);
    await checkSignature(deps, hook.github_secret, request, body);
    const posting = readPosting(request, body);
    // What is understood and says nothing, such as GitHub's ping.
    if (posting) {
      const content = cut(posting.text);
      const via = { name: posting.username ?? hook.name, iconEmoji: posting.iconEmoji };
      await poster.post(hook.author_id, hook.room_id, { content }, via);
    }
    return plainResponse(200, "ok");
  } catch (error) {
    // Everything else is answered where all errors are (`http/errors.ts`), as Slack does.
    if (error instanceof Answer) return plainResponse(error.status, error.message);
    throw error;
  }
}

/** The hook of a token; that it is used is written down once a minute at most. */
async function findHook(sql: SqlClient, token: string): Promise<Hook | undefined> {
  if (token.length !== 43) return undefined;
  const [hook] = await sql<(Hook & { is_fresh: boolean })[]>`
    select id, room_id, name, coalesce(bot_id, created_by) as author_id, github_secret,
      last_used_at > clock_timestamp() - interval '1 minute' as is_fresh
    from incoming_webhooks where token_hash = ${hashToken(token)}`;
  if (hook && !hook.is_fresh) {
    await sql`update incoming_webhooks set last_used_at = clock_timestamp() where id = ${hook.id}`;
  }
  return hook;
}

async function readBody(request: Request): Promise<Buffer> {
  const tooLarge = () => new Answer(413, "too_large");
  if (Number(request.headers.get("content-length") ?? 0) > MAX_WEBHOOK_BYTES) throw tooLarge();
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of request.body ?? []) {
    size += chunk.byteLength;
    if (size > MAX_WEBHOOK_BYTES) throw tooLarge();
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** A long report says most of it rather than nothing, and what cannot be stored is left out. */
function cut(given: string): string {
  const text = given.replaceAll("\0", "").toWellFormed();
  const characters = [...text];
  if (characters.length <= MAX_CONTENT_LENGTH) return text;
  return `${characters.slice(0, MAX_CONTENT_LENGTH - 1).join("")}…`;
}
