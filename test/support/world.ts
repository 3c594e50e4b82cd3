import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { eq } from "drizzle-orm";
import { loadSecretKey } from "../../src/platform/secrets/secrets.ts";
import { lockUser, type UserRow } from "../../src/users/users.ts";
import { createSession } from "../../src/authentication/sessions.ts";
import { createBot, requireBot } from "../../src/admin/bots.ts";
import { createToken } from "../../src/admin/tokens.ts";
import { type AuditActor, COMMAND_LINE } from "../../src/audit/write.ts";
import { type Config, readConfig } from "../../src/config.ts";
import { connectDatabase, type Database, type Transaction } from "../../src/database/connect.ts";
import type { Target } from "../../src/database/target.ts";
import { users } from "../../src/database/schema.ts";
import { readPrebuilt } from "../../src/client-bundle/prebuilt.ts";
import { useBundle } from "../../src/http/spa.ts";
import { addMember, removeMember } from "../../src/rooms/members.ts";
import { createRoom, lockRoom, setArchived } from "../../src/rooms/change.ts";
import type { ServiceOptions } from "../../src/dependencies.ts";
import { type Service, startService } from "../../src/service.ts";
import type { Scope } from "../../src/wire/scopes.ts";
import { writeBundle } from "./bundle.ts";
import { Client } from "./client.ts";
import { freshDatabase, releaseDatabase } from "./database.ts";

export const PASSWORD = "correct horse battery";
/** The same for all, made once: hashing is slow on purpose. */
const passwordHash = Bun.password.hash(PASSWORD, {
  algorithm: "argon2id",
  memoryCost: 1024,
  timeCost: 1,
});

/** Shorter than those of a service: tests wait for what comes after them. */
const INTERVALS: ServiceOptions = {
  presenceGraceMs: 300,
  memberUpdateMs: 50,
  searchMs: 50,
  pollSeconds: 0.2,
};

/** A running service on a database and a data folder of its own, with people and two rooms. */
export class World {
  /** Signed in to nothing. */
  readonly anonymous: Client;
  readonly #services: Service[];
  #database: Database | null;

  private constructor(
    readonly target: Target & object,
    database: Database,
    readonly service: Service,
    readonly settings: { DATA_DIR: string } & Record<string, string>,
  ) {
    this.#database = database;
    this.#services = [service];
    this.anonymous = new Client(service.address);
  }

  get database(): Database {
    if (!this.#database) throw new Error("The world was stopped.");
    return this.#database;
  }

  static async start(
    settings: Record<string, string> = {},
    options: ServiceOptions = {},
  ): Promise<World> {
    const [target] = await Promise.all([
      freshDatabase(),
      useBundle(async () => readPrebuilt(await writeBundle())),
    ]);
    const DATA_DIR = await mkdtemp(join(tmpdir(), "snug-world-"));
    const all = { DATA_DIR, ...settings };
    // As the first start of a process does.
    if (!settings.SECRET_KEY) await loadSecretKey(all.DATA_DIR, null);
    const service = releasing(
      await startService(testConfig(all), target, { ...INTERVALS, ...options }),
    );
    const database = connectDatabase(target, 2);
    // Its administrators are not led through a first run.
    await database.sql`update team_settings set setup_step = 4`;
    return new World(target, database, service, all);
  }

  /** One more process' worth of service on the same database. */
  async secondInstance(
    more: Record<string, string> = {},
    options: ServiceOptions = {},
  ): Promise<Service> {
    const config = testConfig({ ...this.settings, ...more });
    const service = releasing(
      await startService(config, this.target, { ...INTERVALS, ...options }),
    );
    this.#services.push(service);
    return service;
  }

  /** An account that is signed in, at the first instance or at another. */
  async person(username: string, values: Partial<typeof users.$inferInsert> = {}): Promise<Client> {
    const id = Bun.randomUUIDv7();
    const email = `${username}@example.org`;
    const row = { id, username, email, passwordHash: await passwordHash, ...values };
    await this.database.db.insert(users).values(row);
    return this.signIn({ id, username });
  }

  /** A new session for someone. */
  async signIn(user: { id: string; username: string }, service = this.service): Promise<Client> {
    const token = await this.database.db.transaction((tx) =>
      createSession(tx, user.id, { address: "127.0.0.1", userAgent: "a test" }),
    );
    return new Client(service.address, `snug_session=${token}`, user);
  }

  /** A room of the owner's with these members. */
  async room(
    name: string,
    owner: Client,
    members: Client[] = [],
    privacy: "open" | "private" = "private",
  ): Promise<string> {
    const { db } = this.database;
    const id = await createRoom(db, owner.user.id, { name, privacy });
    for (const { user } of members) await addMember(db, owner.user.id, id, { user_id: user.id });
    return id;
  }

  /** Archives a room or brings it back, as an operator does. */
  archive(name: string, isArchived: boolean): Promise<unknown> {
    return this.database.db.transaction(async (tx) =>
      setArchived(tx, COMMAND_LINE, await lockRoom(tx, { name }), isArchived),
    );
  }

  /** Changes an account, as an operator does. */
  administer(
    username: string,
    work: (tx: Transaction, actor: AuditActor, user: UserRow) => Promise<unknown>,
  ): Promise<unknown> {
    return this.database.db.transaction(async (tx) =>
      work(tx, COMMAND_LINE, await lockUser(tx, { username })),
    );
  }

  /** A bot that calls with a token of its own, at the first instance or at another. */
  async bot(
    username: string,
    scopes: Scope[],
    {
      expiresAt = null,
      service = this.service,
    }: { expiresAt?: Date | null; service?: Service } = {},
  ): Promise<Client> {
    return this.database.db.transaction(async (tx) => {
      const { id } = await createBot(tx, COMMAND_LINE, { username });
      const values = { name: "a test", scopes, expiresAt };
      const { token } = await createToken(tx, COMMAND_LINE, await requireBot(tx, id), values);
      return new Client(service.address, null, { id, username }, token);
    });
  }

  async stop(): Promise<void> {
    await Promise.all(this.#services.map((service) => service.stop()));
    await this.database.close();
    this.#database = null;
    releaseDatabase(this.target);
    await rm(this.settings.DATA_DIR, { recursive: true });
  }
}

/**
 * The same service, which forgets all that it was once it is stopped. The variables of a file that has
 * run stay as long as its worker, and would keep a hundred services in memory.
 */
function releasing(running: Service): Service {
  const { address, baseUrl } = running;
  let service: Service | null = running;
  let stopping: Promise<void> | undefined;
  return {
    address,
    baseUrl,
    stop() {
      stopping ??= service?.stop();
      service = null;
      return stopping ?? Promise.resolve();
    },
  };
}

export function testConfig(settings: Record<string, string> = {}): Config {
  return readConfig({ PORT: "0", ...settings });
}

/** Everyone that an access rule can tell apart, around one open and one private room. */
export async function people(world: World) {
  const [admin, owner, roomAdmin, member, outsider, removed, deactivated] = await Promise.all([
    world.person("admin", { isSiteAdmin: true }),
    world.person("owner"),
    world.person("room-admin"),
    world.person("member"),
    world.person("outsider"),
    world.person("removed"),
    world.person("deactivated"),
  ]);
  const { db } = world.database;
  const inside = [roomAdmin, member, removed, deactivated];
  const rooms = {
    open: await world.room("open-room", owner, inside, "open"),
    secret: await world.room("secret-room", owner, inside),
  };
  for (const roomId of Object.values(rooms)) {
    await owner.patch(`/api/rooms/${roomId}/members/${roomAdmin.user.id}`, { role: "admin" });
    await removeMember(db, owner.user.id, roomId, removed.user.id);
  }
  // Without the rest of a deactivation: the session stays, and must not help.
  await db.update(users).set({ isActive: false }).where(eq(users.id, deactivated.user.id));
  return { admin, owner, roomAdmin, member, outsider, removed, deactivated, rooms };
}
