import { writeFile } from "node:fs/promises";
import { eq } from "drizzle-orm";
import { storeAvatar } from "../src/avatars/avatars.ts";
import type { Database } from "../src/database/connect.ts";
import { users } from "../src/database/schema.ts";
import { FatalJobError } from "../src/jobs-queue/job.ts";
import type { Egress } from "../src/platform/egress/egress.ts";
import { Refusal } from "../src/platform/refusal.ts";
import type { Store } from "../src/platform/storage/open.ts";

const MAX_BYTES = 8 * 1024 ** 2;
const TIMEOUT_MS = 15_000;

/** Fetches the picture that a provider has of someone, and makes it their avatar. */
export async function fetchProfilePicture(
  { database, store, egress }: { database: Database; store: Store; egress: Egress },
  { userId, url }: { userId: string; url: string },
  signal: AbortSignal,
): Promise<void> {
  const { db } = database;
  const [user] = await db
    .select({ isActive: users.isActive })
    .from(users)
    .where(eq(users.id, userId));
  if (!user?.isActive) return;
  const answer = await egress.request(url, {
    maxBytes: MAX_BYTES,
    timeoutMs: TIMEOUT_MS,
    redirects: 3,
    signal,
  });
  if (answer.status !== 200) {
    answer.close();
    throw new FatalJobError(`The provider's picture answers ${answer.status}.`);
  }
  const chunks: Buffer[] = [];
  for await (const chunk of answer.body) chunks.push(chunk);
  try {
    await storeAvatar(database, store, userId, (path) => writeFile(path, Buffer.concat(chunks)));
  } catch (error) {
    if (error instanceof Refusal) throw new FatalJobError(error.message);
    throw error;
  }
}
