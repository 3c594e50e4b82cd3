import { writeFile } from "node:fs/promises";
import { sql } from "drizzle-orm";
import { storeAvatar } from "../src/avatars/avatars.ts";
import type { Database, Query } from "../src/database/connect.ts";
import { FatalJobError } from "../src/jobs-queue/job.ts";
import type { JobPayloads } from "../src/jobs-queue/kinds.ts";
import type { Egress } from "../src/platform/egress/egress.ts";
import { Refusal } from "../src/platform/refusal.ts";
import type { Store } from "../src/platform/storage/open.ts";

const MAX_BYTES = 8 * 1024 ** 2;
const TIMEOUT_MS = 15_000;

/** Fetches someone's picture from their identity provider and stores it as their avatar. */
export async function fetchProfilePicture(
  { database, store, egress }: { database: Database; store: Store; egress: Egress },
  picture: JobPayloads["profile_picture"],
  signal: AbortSignal,
): Promise<void> {
  const { userId, url } = picture;
  if (!(await isWanted(database.db, picture))) return;
  const answer = await egress.request(url, {
    maxBytes: MAX_BYTES,
    timeoutMs: TIMEOUT_MS,
    redirects: 3,
    signal,
  });
  if (answer.status !== 200) {
    answer.close();
    throw new FatalJobError(`The request for the provider's picture failed with ${answer.status}.`);
  }
  const bytes = Buffer.concat(await Array.fromAsync(answer.body));
  // Checked again, because the download may have taken a while.
  if (!(await isWanted(database.db, picture))) return;
  try {
    await storeAvatar(database, store, userId, (path) => writeFile(path, bytes));
  } catch (error) {
    if (error instanceof Refusal) throw new FatalJobError(error.message);
    throw error;
  }
}

/** Whether the user is active, still connected to the provider, and has not chosen another picture. */
async function isWanted(
  db: Query,
  { userId, providerId, avatarVersion }: JobPayloads["profile_picture"],
): Promise<boolean> {
  const isConnected = sql`exists (
    select from identities where user_id = ${userId} and provider_id = ${providerId})`;
  const hasSame = sql`avatar_version is not distinct from ${avatarVersion}::text`;
  const rows = await db.execute(sql`
    select from users where id = ${userId} and is_active
      ${providerId === undefined ? sql`` : sql`and ${isConnected}`}
      ${avatarVersion === undefined ? sql`` : sql`and ${hasSame}`}`);
  return rows.length > 0;
}
