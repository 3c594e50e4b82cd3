import type { Database } from "../database/connect.ts";
import type { Mailer } from "../email/mailer.ts";
import type { ReadKey } from "../platform/secrets.ts";

/** What the administration works with. */
export type AdminDeps = { database: Database; readKey: ReadKey; mailer: Mailer; baseUrl: string };
