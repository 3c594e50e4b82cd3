/**
 * One process stops and starts under 2,000 people with 40 rooms each, with SIGTERM and with kill -9: how
 * long each is without events, from the last moment before until the open room is joined and caught up and
 * the list of rooms is loaded. They reconnect as the app does. Messages are posted in all rooms throughout,
 * and none may be missed. Then the same beside a second instance that keeps running. Fails where someone
 * needs more than 5 s.
 */
import { Connection } from "../src/snug-client/connection.ts";
import { realClock } from "../public/app/connection/clock.ts";
import { Bed, type Instance, type Person } from "./support/bed.ts";
import { Latencies } from "./support/stats.ts";

const ROUNDS = 3;
const PEOPLE = 2_000;
const ROOMS = 400;
const ROOMS_OF_A_PERSON = 40;
const MAX_SECONDS = 5;

const bed = await Bed.make();
const people = await bed.people(PEOPLE);
const members: Person[][] = Array.from({ length: ROOMS }, () => []);
for (const [i, person] of people.entries()) {
  for (let k = 0; k < ROOMS_OF_A_PERSON; k++) {
    members[(i + (k * ROOMS) / ROOMS_OF_A_PERSON) % ROOMS]?.push(person);
  }
}
const rooms = await bed.rooms(members);
let instances: Instance[] = [await bed.start()];

/** A person with the app open. */
class Reader {
  seq = 0;
  offlineSince: number | null = null;
  offlineMs = 0;
  #joined = false;
  readonly #connection: Connection;

  constructor(
    readonly index: number,
    readonly roomId: string,
    ready: () => void,
  ) {
    this.#connection = new Connection({
      open: () => this.#open(),
      clock: realClock,
      random: Math.random,
      onStatus: (status) => {
        if (status === "open" || !this.#joined) return;
        this.#joined = false;
        this.offlineSince ??= performance.now();
      },
      onEvent: (event) => {
        if (event.type === "hello") {
          const { roomId: room_id, seq } = this;
          this.#connection.send({ type: "join", room_id, seq });
          this.#hasList = false;
          this.#loadList().catch(() => {
            // The connection is lost too, and its next hello loads the list again.
          });
        } else if (event.type === "joined") {
          this.#joined = true;
          this.#until = event.seq;
          this.#noteCaughtUp();
          ready();
        } else if (event.type === "message") {
          if (event.seq !== this.seq + 1) throw new Error(`${event.seq} after ${this.seq}`);
          this.seq = event.seq;
          this.#noteCaughtUp();
        } else if (event.type === "resync" || event.type === "error") {
          throw new Error(JSON.stringify(event));
        }
      },
    });
    this.#connection.start();
  }

  #until = 0;
  #hasList = false;

  stop(): void {
    this.#connection.stop();
  }

  async #loadList(): Promise<void> {
    const response = await fetch(`${instances[0]?.address}/api/rooms?all=true`, {
      headers: { cookie: people[this.index]?.cookie ?? "" },
    });
    const { items } = (await response.json()) as { items: unknown[] };
    if (items.length !== ROOMS_OF_A_PERSON) throw new Error(`${items.length} rooms`);
    this.#hasList = true;
    this.#noteCaughtUp();
  }

  #noteCaughtUp(): void {
    const isCaughtUp = this.#joined && this.seq >= this.#until && this.#hasList;
    if (this.offlineSince === null || !isCaughtUp) return;
    this.offlineMs = performance.now() - this.offlineSince;
    this.offlineSince = null;
  }

  /** Connects as a proxy would: to one of the instances that accept connections. */
  #open(): WebSocket {
    const { address } = instances[Math.floor(Math.random() * instances.length)] as Instance;
    const headers = { cookie: people[this.index]?.cookie, origin: address };
    return new WebSocket(`${address.replace("http", "ws")}/ws/chat`, {
      headers,
    } as unknown as string[]);
  }
}

const readers: Reader[] = [];
await new Promise<void>((resolve) => {
  let ready = 0;
  for (let i = 0; i < PEOPLE; i++) {
    readers.push(new Reader(i, rooms[i % ROOMS] as string, () => ++ready === PEOPLE && resolve()));
  }
});

/** Posts into one room after the other, retrying each message until it is stored, until aborted. */
async function talk(ended: () => boolean): Promise<number> {
  let said = 0;
  while (!ended()) {
    const client_id = crypto.randomUUID();
    const content = `Message ${said}.`;
    for (;;) {
      const { address } = instances[0] as Instance;
      const stored = await fetch(`${address}/api/rooms/${rooms[said % ROOMS]}/messages`, {
        method: "POST",
        headers: {
          cookie: people[said % ROOMS]?.cookie ?? "",
          "content-type": "application/json",
        },
        body: JSON.stringify({ content, client_id }),
      }).then(
        (response) => response.ok,
        () => false,
      );
      if (stored) break;
      await Bun.sleep(20);
    }
    said += 1;
    // Each reaches 200 members.
    await Bun.sleep(20);
  }
  return said;
}

async function until(holds: () => boolean): Promise<void> {
  const deadline = performance.now() + 30_000;
  while (!holds()) {
    if (performance.now() > deadline) throw new Error("not everyone came back");
    await Bun.sleep(10);
  }
}

async function round(signal: "SIGTERM" | "SIGKILL", withSecond: boolean): Promise<Latencies> {
  for (const reader of readers) reader.offlineMs = 0;
  let ended = false;
  const talking = talk(() => ended);
  await Bun.sleep(500);
  const [first, ...others] = instances as [Instance, ...Instance[]];
  const port = Number(new URL(first.address).port);
  if (withSecond) instances = others;
  await bed.end(first, signal);
  const again = await bed.start(port);
  instances = [...(withSecond ? others : []), again];
  await until(() => readers.every((reader) => reader.offlineSince === null));
  await Bun.sleep(500);
  ended = true;
  await talking;
  const positions = await bed.database.sql<{ id: string; last_seq: number }[]>`
    select id, last_seq from rooms`;
  const last = new Map(positions.map((row) => [row.id, Number(row.last_seq)]));
  await until(() => readers.every((reader) => reader.seq === last.get(reader.roomId)));
  const offline = new Latencies();
  for (const reader of readers) if (reader.offlineMs > 0) offline.add(reader.offlineMs);
  if (offline.count === 0) throw new Error("nobody was offline");
  return offline;
}

let isSlow = false;
for (const withSecond of [false, true]) {
  if (withSecond) {
    instances.push(await bed.start());
  }
  for (const signal of ["SIGTERM", "SIGKILL"] as const) {
    const beside = withSecond ? "a second instance goes on" : "the only process";
    console.log(`\nrestart, ${signal}, ${beside}, ${PEOPLE} people`);
    for (let i = 0; i < ROUNDS; i++) {
      const offline = await round(signal, withSecond);
      const ms = (share: number) => `${(offline.p(share) / 1_000).toFixed(2)} s`;
      console.log(
        `  p50 ${ms(0.5)}, p99 ${ms(0.99)}, longest ${ms(1)}; ${offline.count} people, none missed a message`,
      );
      isSlow ||= offline.p(1) > MAX_SECONDS * 1_000;
    }
  }
}
for (const reader of readers) reader.stop();
if (isSlow) console.log(`FAULT someone was not caught up after ${MAX_SECONDS} s.`);
await bed.clear();
process.exit(isSlow ? 1 : 0);
