import type { Person } from "./bed.ts";
import { openRawSockets, type Raw } from "./raw.ts";
import { openSocket, openSockets } from "./sockets.ts";
import { Latencies } from "./stats.ts";

const MESSAGE = '{"type":"message"';
/** What begins a message's number. Not `#`, which would name a room. */
const MARK = '"content":"n';

export type Heard = { sent: number; delivered: number; latencies: Latencies; seconds: number };

/**
 * Receivers of one room, some of whom also send. Each message has its number and time, so that each
 * delivery is counted and timed. A message is in flight until its sender receives it.
 */
export class Audience {
  #sockets: WebSocket[] = [];
  #frame: (content: string, client_id: string) => string = () => "";
  #latencies = new Latencies();
  #delivered = 0;
  #sent = 0;
  #number = 0;
  #waiting = new Map<number, () => void>();
  #all: (() => void) | null = null;

  private constructor(private readonly senders: number) {}

  /** People who have a room open; the first of them send. */
  static async inRoom(
    address: string | ((index: number) => string),
    people: Person[],
    room_id: string,
    senders: number,
  ) {
    const audience = new Audience(senders);
    audience.#frame = (content, client_id) =>
      JSON.stringify({ type: "message", room_id, content, client_id });
    let joined = 0;
    const { promise, resolve } = Promise.withResolvers<void>();
    audience.#sockets = await openSockets(address, people, (i) => (text) => {
      if (text.startsWith(MESSAGE)) audience.#hear(i, text);
      else if (text.startsWith('{"type":"error"')) fail(text);
      else if (text.startsWith('{"type":"joined"') && ++joined === people.length) resolve();
    });
    for (const socket of audience.#sockets) socket.send(JSON.stringify({ type: "join", room_id }));
    await promise;
    return audience;
  }

  /** Connections to the bare server, to which senders send what the service would publish. */
  static async onRaw(raw: Raw, count: number, senders: number, envelope: string) {
    const audience = new Audience(senders);
    const [head, tail] = split(envelope);
    audience.#frame = (content) => head + content + tail;
    audience.#sockets = await openRawSockets(raw, count, (i, text) => audience.#hear(i, text));
    return audience;
  }

  get size(): number {
    return this.#sockets.length;
  }

  /** Sends at a fixed rate per second, one sender after the other. */
  async paced(rate: number, seconds: number, padding: string): Promise<Heard> {
    return this.#counted(async () => {
      const started = performance.now();
      const total = rate * seconds;
      for (let i = 0; i < total;) {
        const due = Math.min(total, Math.floor(((performance.now() - started) / 1_000) * rate) + 1);
        for (; i < due; i++) this.#say(padding);
        await Bun.sleep(1);
      }
    });
  }

  /** Sends as fast as this many in flight allow. */
  async window(inFlight: number, seconds: number, padding: string): Promise<Heard> {
    return this.#counted(async () => {
      const end = performance.now() + seconds * 1_000;
      const hand = async () => {
        while (performance.now() < end) {
          const number = this.#say(padding);
          await new Promise<void>((resolve) => this.#waiting.set(number, resolve));
        }
      };
      await Promise.all(Array.from({ length: inFlight }, hand));
    });
  }

  close(): void {
    for (const socket of this.#sockets) {
      socket.onclose = null;
      socket.close();
    }
  }

  /** @throws Error unless everyone receives everything exactly once */
  async #counted(talk: () => Promise<void>): Promise<Heard> {
    this.#latencies = new Latencies();
    this.#delivered = 0;
    this.#sent = 0;
    const started = performance.now();
    await talk();
    const expected = this.#sent * this.size;
    if (this.#delivered < expected) {
      const { promise, resolve } = Promise.withResolvers<void>();
      this.#all = resolve;
      await Promise.race([promise, Bun.sleep(20_000)]);
      this.#all = null;
    }
    const seconds = (performance.now() - started) / 1_000;
    if (this.#delivered !== expected) {
      throw new Error(`${this.#sent} to ${this.size}: ${this.#delivered} delivered`);
    }
    return { sent: this.#sent, delivered: expected, latencies: this.#latencies, seconds };
  }

  #say(padding: string): number {
    const number = this.#number++;
    this.#sent += 1;
    const content = `n${number} ${performance.now().toFixed(3)}n${padding}`;
    this.#sockets[number % this.senders]?.send(this.#frame(content, crypto.randomUUID()));
    return number;
  }

  #hear(index: number, text: string): void {
    const at = text.indexOf(MARK) + MARK.length;
    const blank = text.indexOf(" ", at);
    const number = Number(text.slice(at, blank));
    this.#latencies.add(
      performance.now() - Number(text.slice(blank + 1, text.indexOf("n", blank))),
    );
    this.#delivered += 1;
    if (index === number % this.senders) {
      this.#waiting.get(number)?.();
      this.#waiting.delete(number);
    }
    if (this.#all && this.#delivered === this.#sent * this.size) this.#all();
  }
}

/** Ends the run: a refused message was not measured. */
function fail(text: string): never {
  console.error(text);
  process.exit(1);
}

/** The text before and after the content of an envelope. */
function split(envelope: string): [head: string, tail: string] {
  const at = envelope.indexOf(MARK) + MARK.length - 1;
  return [envelope.slice(0, at), envelope.slice(envelope.indexOf('"', at))];
}

/** An envelope as the service publishes it: what the bare server is to publish. */
export async function sampleEnvelope(address: string, person: Person, room_id: string) {
  const { promise, resolve } = Promise.withResolvers<string>();
  const socket = await openSocket(address, person, (text) => {
    if (text.startsWith('{"type":"joined"')) {
      const client_id = crypto.randomUUID();
      socket.send(JSON.stringify({ type: "message", room_id, content: "n0 0n", client_id }));
    }
    if (text.startsWith(MESSAGE)) resolve(text);
  });
  socket.send(JSON.stringify({ type: "join", room_id }));
  const envelope = await promise;
  socket.onclose = null;
  socket.close();
  return envelope;
}
