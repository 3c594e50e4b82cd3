import { readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { cpus, tmpdir } from "node:os";
import { join } from "node:path";
import type { Subprocess } from "bun";
import { hashToken, randomToken } from "../../src/platform/secrets/secrets.ts";
import { connectDatabase, type Database } from "../../src/database/connect.ts";
import { type EmbeddedPostgres, startEmbedded } from "../../src/embedded-postgres/start.ts";
import { migrateDatabase } from "../../src/database/migrate.ts";

const ROOT = join(import.meta.dir, "../..");

export type Instance = { process: Subprocess; address: string; pid: number };
/** Someone who is signed in: the header that says who. A bot has a token in place of a cookie. */
export type Person = { id: string; cookie: string; authorization?: string };

/** A PostgreSQL of its own in a temporary folder, with people, and service processes on it. */
export class Bed {
  readonly instances: Instance[] = [];

  private constructor(
    readonly folder: string,
    readonly postgres: EmbeddedPostgres,
    readonly database: Database,
  ) {}

  static async make(): Promise<Bed> {
    const folder = await mkdtemp(join(tmpdir(), "snug-bench-"));
    const postgres = await startEmbedded(folder);
    await migrateDatabase(postgres.connection);
    const bed = new Bed(folder, postgres, connectDatabase(postgres.connection, 4));
    const [row] = await bed.database.sql<{ fsync: string; commit: string; version: string }[]>`
      select current_setting('fsync') as fsync, current_setting('synchronous_commit') as commit,
        current_setting('server_version') as version`;
    console.log(
      `${cpus().length} cores (${cpus()[0]?.model.trim()}), Bun ${Bun.version}, PostgreSQL ${row?.version}, ` +
        `fsync ${row?.fsync}, synchronous_commit ${row?.commit}; service, database and client share them.`,
    );
    if (row?.fsync !== "on" || row.commit !== "on")
      throw new Error("Nothing counts that is not on disk.");
    return bed;
  }

  /** Starts a service in its own process, on a free port unless one is named. */
  async start(port = 0): Promise<Instance> {
    const child = Bun.spawn([process.execPath, "src/main.ts"], {
      cwd: ROOT,
      env: {
        ...process.env,
        PORT: `${port}`,
        DATA_DIR: this.folder,
        LOG_FORMAT: "json",
        LOG_LEVEL: "info",
      },
      stdin: "ignore",
      stdout: "ignore",
      stderr: "pipe",
    });
    const address = await readyAddress(child.stderr);
    const instance = { process: child, address, pid: child.pid };
    this.instances.push(instance);
    return instance;
  }

  /** The main process of PostgreSQL. */
  get postmaster(): number {
    const [line = ""] = readFileSync(
      join(this.folder, "postgres/cluster/postmaster.pid"),
      "utf8",
    ).split("\n");
    return Number(line);
  }

  /** Stops one, or kills it; resolves when it is gone. */
  async end(instance: Instance, signal: "SIGTERM" | "SIGKILL" = "SIGTERM"): Promise<void> {
    instance.process.kill(signal);
    await instance.process.exited;
    this.instances.splice(this.instances.indexOf(instance), 1);
  }

  /** Accounts that are signed in. */
  async people(count: number): Promise<Person[]> {
    const made = Array.from({ length: count }, () => ({
      id: Bun.randomUUIDv7(),
      token: randomToken(),
    }));
    const ids = made.map((row) => row.id);
    const { sql } = this.database;
    await sql`insert into users (id, username, email)
      select i, 'b' || substr(md5(i::text), 1, 20), i || '@example.org' from unnest(${ids}::uuid[]) as i`;
    await sql`insert into sessions (id, user_id, token_hash, expires_at)
      select gen_random_uuid(), i, decode(h, 'hex'), clock_timestamp() + interval '1 day'
      from unnest(${ids}::uuid[], ${made.map((row) => hashToken(row.token).toString("hex"))}::text[]) as p(i, h)`;
    return made.map(({ id, token }) => ({ id, cookie: `snug_session=${token}` }));
  }

  /** Bots with a token: they may send as fast as they are answered. */
  async bots(count: number): Promise<Person[]> {
    const made = Array.from({ length: count }, () => {
      const token = `snug_${randomToken()}`;
      const hash = hashToken(token).toString("hex");
      return { id: Bun.randomUUIDv7(), token, hash, last4: token.slice(-4) };
    });
    const ids = made.map((row) => row.id);
    const { sql } = this.database;
    await sql`insert into users (id, username, is_bot)
      select i, 'b' || substr(md5(i::text), 1, 20), true from unnest(${ids}::uuid[]) as i`;
    await sql`insert into api_tokens (id, user_id, name, token_hash, last4, scopes)
      select gen_random_uuid(), i, 'bench', decode(h, 'hex'), l,
        array['read:messages', 'write:messages']
      from unnest(${ids}::uuid[], ${made.map((row) => row.hash)}::text[],
        ${made.map((row) => row.last4)}::text[]) as p(i, h, l)`;
    return made.map(({ id, token }) => ({ id, cookie: "", authorization: `Bearer ${token}` }));
  }

  /** A room with these members; the first owns it. */
  async room(members: Person[]): Promise<string> {
    const [id] = await this.rooms([members]);
    return id as string;
  }

  /** A room for each list of members; the first of each owns it. */
  async rooms(lists: Person[][]): Promise<string[]> {
    const rooms = lists.map((members) => ({ id: Bun.randomUUIDv7(), members }));
    const seats = rooms.flatMap(({ id, members }) =>
      members.map((member, i) => ({
        room: id,
        user: member.id,
        role: i === 0 ? "owner" : "member",
      })),
    );
    const { sql } = this.database;
    await sql`insert into rooms (id, name, privacy, member_count)
      select i, 'r' || substr(md5(i::text), 1, 20), 'open', n
      from unnest(${rooms.map((r) => r.id)}::uuid[], ${lists.map((l) => l.length)}::int[]) as r(i, n)`;
    await sql`insert into memberships (room_id, user_id, role)
      select * from unnest(${seats.map((s) => s.room)}::uuid[], ${seats.map((s) => s.user)}::uuid[],
        ${seats.map((s) => s.role)}::text[])`;
    return rooms.map((room) => room.id);
  }

  /** A direct conversation of each list of people. */
  async conversations(lists: Person[][]): Promise<string[]> {
    const ids = lists.map(() => Bun.randomUUIDv7());
    const seats = lists.flatMap((people, i) =>
      people.map(({ id }) => ({ room: ids[i], user: id })),
    );
    const { sql } = this.database;
    await sql`insert into rooms (id, kind, direct_kind, privacy, member_count)
      select i, 'direct', case n when 1 then 'self' when 2 then 'pair' else 'group' end, 'private', n
      from unnest(${ids}::uuid[], ${lists.map((list) => list.length)}::int[]) as r(i, n)`;
    await sql`insert into memberships (room_id, user_id, role, is_direct)
      select r, u, 'member', true
      from unnest(${seats.map(({ room }) => room as string)}::uuid[],
        ${seats.map(({ user }) => user)}::uuid[]) as s(r, u)`;
    return ids;
  }

  /**
   * Waits until the search index has all messages, so that no scenario pays for the one before.
   * @throws Error after five minutes
   */
  async untilIndexed(): Promise<void> {
    const { sql } = this.database;
    for (const deadline = performance.now() + 300_000; performance.now() < deadline;) {
      const behind = await sql`
        select from rooms r left join search_rooms s on s.room_id = r.id
        where r.last_seq > coalesce(s.after_seq, 0) or s.back_seq > 0 limit 1`;
      if (behind.length === 0) return;
      await Bun.sleep(200);
    }
    throw new Error("The search index is not complete after five minutes.");
  }

  async clear(): Promise<void> {
    for (const { process: child } of this.instances) child.kill("SIGTERM");
    await Promise.all(this.instances.map(({ process: child }) => child.exited));
    await this.database.close();
    await this.postgres.release();
    await rm(this.folder, { recursive: true, force: true });
  }
}

/** Reads the log until the service reports its address, and discards the rest. */
async function readyAddress(log: ReadableStream<Uint8Array>): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  void (async () => {
    let text = "";
    for await (const chunk of log) {
      if (text.length > 100_000) continue;
      text += new TextDecoder().decode(chunk);
      const address = /"address":"(http:[^"]+)"/.exec(text)?.[1];
      if (address) resolve(address);
    }
    reject(new Error(text));
  })();
  return promise;
}
