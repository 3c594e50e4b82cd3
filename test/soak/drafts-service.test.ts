import { afterAll, beforeAll, expect, test } from "bun:test";
import {
  chooseDraft,
  confirmSaved,
  type DraftChoice,
  type DraftCopy,
  emptyCopy,
  offerOf,
  receiveDraft,
  refuseSaved,
  type SavedDraft,
  settle,
  textToSave,
  writeText,
} from "../../public/app/state/draft-copy.ts";
import type { DraftCopy as StoredDraft } from "../../src/wire/keeping.ts";
import type { Client } from "../support/client.ts";
import { repeats, seeded } from "../support/soak.ts";
import type { TestSocket } from "../support/socket.ts";
import { World } from "../support/world.ts";

const RUNS = repeats(4, 400);
const STEPS = 40;

/** A device with a session of its own, which speaks with the service. */
type Device = {
  client: Client;
  socket: TestSocket;
  copy: DraftCopy;
  /** What the next message is posted with. */
  clientId: string;
  isFocused: boolean;
  /** How many of the events that its socket has received it has taken in. */
  taken: number;
};

let world: World;
let ada: Client;
let devices: Device[];
let rooms = 0;
beforeAll(async () => {
  world = await World.start();
  ada = await world.person("ada");
  devices = await Promise.all(
    Array.from({ length: 3 }, async () => {
      const client = await world.signIn(ada.user);
      const socket = await client.socket();
      return { client, socket, copy: emptyCopy, clientId: "", isFocused: false, taken: 0 };
    }),
  );
});
afterAll(async () => {
  for (const { socket } of devices) socket.close();
  await world.stop();
});

const words = (text: string | null) => (text ?? "").split(/\s+/).filter(Boolean);
const toSaved = ({ version, content, device, updated_at: at }: StoredDraft): SavedDraft => ({
  ...{ version, content: content ?? "", device, at },
});

/** One draft on three devices, and everything that was ever written in it. */
class Run {
  readonly written = new Set<string>();
  /** Deleted or discarded by hand. */
  readonly dropped = new Set<string>();
  readonly log: string[] = [];

  constructor(
    readonly roomId: string,
    readonly random: () => number,
  ) {}

  pick<T>(list: readonly T[]): T {
    return list[Math.floor(this.random() * list.length)] as T;
  }

  drop(text: string): void {
    for (const word of words(text)) this.dropped.add(word);
  }

  type(device: Device): void {
    const word = `w${this.written.size}`;
    this.written.add(word);
    device.isFocused = true;
    device.clientId ||= crypto.randomUUID();
    device.copy = writeText(device.copy, [...words(device.copy.text), word].join(" "));
  }

  erase(device: Device): void {
    const [first = "", ...rest] = words(device.copy.text);
    this.drop(first);
    device.copy = writeText(device.copy, rest.join(" "));
  }

  choose(device: Device): void {
    const offer = offerOf(device.copy);
    if (!offer) return;
    const choice = this.pick<DraftChoice>(["use", "add", "discard"]);
    if (choice === "use") this.drop(device.copy.text);
    if (choice === "discard") this.drop(offer.content);
    device.copy = chooseDraft(device.copy, choice, offer.version);
  }

  blur(device: Device): void {
    device.isFocused = false;
    device.copy = settle(device.copy, false);
  }

  /** The request may be lost, and so may its answer. */
  async save(device: Device, isSafe = false): Promise<void> {
    const text = textToSave(device.copy);
    if (text === null || (!isSafe && this.random() < 0.1)) return;
    const base_version = device.copy.base.version;
    device.copy = { ...device.copy, sending: text };
    const answer = await device.client.put("/api/drafts", {
      ...{ room_id: this.roomId, base_version, content: text || null },
      ...{ client_id: device.clientId || null, device: device.client.user.username },
    });
    if (!isSafe && this.random() < 0.2) return;
    if (answer.status === 200) {
      device.copy = confirmSaved(device.copy, text, answer.body.version);
    } else {
      expect(answer.body.code).toBe("draft_changed");
      const saved = toSaved(answer.body.draft);
      device.copy = refuseSaved(device.copy, saved, base_version, device.isFocused);
    }
  }

  /** Posts what is written, beside a save that is still under way, perhaps. */
  async send(device: Device): Promise<void> {
    const { text } = device.copy;
    if (text === "") return;
    const saving = this.random() < 0.5 ? this.save(device) : Promise.resolve();
    const client_id = device.clientId || crypto.randomUUID();
    device.clientId = "";
    await device.client.say(this.roomId, text, { client_id, clears_draft: true });
    await saving;
    device.copy = writeText(device.copy, "");
  }

  /** Takes in some of what its socket has received. */
  hear(device: Device): void {
    const { heard } = device.socket;
    if (device.taken < heard.length) this.take(device, heard[device.taken++]);
  }

  take(device: Device, event: { type: string; room_id?: string }): void {
    if (event.type !== "draft" || event.room_id !== this.roomId) return;
    device.copy = receiveDraft(device.copy, toSaved(event as never), device.isFocused);
  }

  async connect(device: Device): Promise<void> {
    const path = "/api/drafts?after=2020-01-01T00:00:00Z";
    const all: StoredDraft[] = (await device.client.get(path)).body.items;
    const mine = all.find(({ room_id }) => room_id === this.roomId);
    if (mine) device.copy = receiveDraft(device.copy, toSaved(mine), device.isFocused);
  }

  async step(): Promise<void> {
    // Two act at once.
    const acting = [this.pick(devices), this.pick(devices)];
    const distinct = new Set(acting);
    await Promise.all(
      [...distinct].map((device) => {
        const action = this.pick(ACTIONS);
        this.log.push(`${devices.indexOf(device)} ${action}`);
        return this[action](device);
      }),
    );
  }

  /** Everything arrives, and nobody writes. */
  async rest(): Promise<void> {
    for (let round = 0; round < 6; round++) {
      for (const device of devices) {
        await device.socket.drain();
        while (device.taken < device.socket.heard.length) this.hear(device);
        await this.connect(device);
        this.blur(device);
        await this.save(device, true);
      }
    }
  }
}

const ACTIONS = [
  ...(["type", "type", "type", "type", "erase", "send", "choose", "blur"] as const),
  ...(["save", "save", "save", "hear", "hear", "connect"] as const),
];

test(`three devices and the service lose no word of a draft: ${RUNS} runs`, async () => {
  for (let seed = 1; seed <= RUNS; seed++) {
    const roomId = await world.room(`run-${rooms++}`, ada);
    for (const device of devices) {
      await device.socket.drain();
      Object.assign(device, { copy: emptyCopy, clientId: "", isFocused: false });
      device.taken = device.socket.heard.length;
    }
    const run = new Run(roomId, seeded(seed));
    for (let n = 0; n < STEPS; n++) await run.step();
    await run.rest();
    const posted: { content: string }[] = (await ada.get(`/api/rooms/${roomId}/messages?limit=200`))
      .body.items;
    const visible = new Set(
      [
        ...posted.map(({ content }) => content),
        ...devices.flatMap(({ copy }) => [copy.text, offerOf(copy)?.content ?? ""]),
      ].flatMap(words),
    );
    const lost = [...run.written].filter((word) => !run.dropped.has(word) && !visible.has(word));
    if (lost.length > 0) console.error(`SNUG_SEED=${seed} after ${run.log.join(", ")}`);
    expect(lost).toEqual([]);
    // What the service has is on each device, or offered there.
    const all: StoredDraft[] = (await ada.get("/api/drafts")).body.items;
    const stored = all.find(({ room_id }) => room_id === roomId)?.content ?? "";
    for (const { copy } of devices) {
      expect([copy.text, offerOf(copy)?.content ?? ""]).toContain(stored);
    }
  }
});
