import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { setUploadLimit } from "../../src/uploads/limit.ts";
import type { Client } from "../support/client.ts";
import { World } from "../support/world.ts";

/** A service with one private room, its owner, a member, and someone who is neither. */
export class Place {
  private constructor(
    readonly world: World,
    readonly owner: Client,
    readonly member: Client,
    readonly outsider: Client,
    readonly roomId: string,
  ) {}

  static async open(settings: Record<string, string> = {}, outside = {}): Promise<Place> {
    const world = await World.start(settings, outside);
    const owner = await world.person("owner");
    const member = await world.person("member");
    const outsider = await world.person("outsider");
    return new Place(world, owner, member, outsider, await world.room("den", owner, [member]));
  }

  get sql() {
    return this.world.database.sql;
  }

  get images(): string {
    return `/api/rooms/${this.roomId}/images`;
  }

  get files(): string {
    return `/api/rooms/${this.roomId}/files`;
  }

  /** What someone gets who reads an address, as bytes. */
  async read(path: string, headers: Record<string, string> = {}, client = this.member) {
    const response = await fetch(client.base + path, {
      headers: { ...(client.cookie ? { cookie: client.cookie } : {}), ...headers },
    });
    const bytes = new Uint8Array(await response.arrayBuffer());
    return { status: response.status, headers: response.headers, bytes };
  }

  setLimit(bytes: number): Promise<void> {
    return setUploadLimit(this.world.database.db, bytes);
  }

  get folder(): string {
    return join(this.world.settings.DATA_DIR, "uploads");
  }

  /** Files that wait to be whole. */
  incoming(): Promise<string[]> {
    return readdir(join(this.folder, "incoming")).catch(() => []);
  }

  /** The keys of all that the disk keeps. */
  async kept(): Promise<string[]> {
    const paths = await Array.fromAsync(new Bun.Glob("??/??/*").scan({ cwd: this.folder }));
    return paths.map((path) => path.split("/").at(-1) ?? "").sort();
  }

  close(): Promise<void> {
    return this.world.stop();
  }
}
