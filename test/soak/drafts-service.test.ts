import { afterAll, beforeAll, expect, test } from "bun:test";
import {
  beginSave,
  bodyToSave,
  chooseDraft,
  confirmSaved,
  type DraftChoice,
  postDraft,
  receiveDraft,
  refuseSaved,
  settleCopy,
  writeBody,
} from "../../public/app/state/drafts/draft-merge.ts";
import {
  type DraftCopy,
  emptyCopy,
  NO_BODY,
  offerOf,
} from "../../public/app/state/model/draft-copy.ts";
import type { DraftCopy as StoredDraft } from "../../src/wire/drafts.ts";
import type { Client } from "../support/client.ts";
import { repeats, seeded } from "../support/soak.ts";
import type { TestSocket } from "../support/socket.ts";
import { World } from "../support/world.ts";
import { toSavedDraft } from "../../public/app/state/drafts/draft-sync.ts";

const RUNS = repeats(4, 400);
const STEPS = 40;

/** A device with a session of its own, which speaks with the service. */
type Device = {
  client: Client;
  socket: TestSocket;
  copy: DraftCopy;
  /** What it posts, until it is stored. */
  posting: Set<string>;
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
      return { client, socket, copy: emptyCopy, posting: new Set(), isFocused: false, taken: 0 };
    }),
  );
});
afterAll(async () => {
  for (const { socket } of devices) socket.close();
  await world.stop();
});

const words = (text: string | null) => (text ?? "").split(/\s+/).filter(Boolean);

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
    const content = [...words(device.copy.here.content), word].join(" ");
    device.copy = writeBody(device.copy, { content });
  }

  erase(device: Device): void {
    const [first = "", ...rest] = words(device.copy.here.content);
    this.drop(first);
    device.copy = writeBody(device.copy, { content: rest.join(" ") });
  }

  choose(device: Device): void {
    const offer = offerOf(device.copy);
    if (!offer) return;
    const choice = this.pick<DraftChoice>(["use", "add", "discard"]);
    if (choice === "use") this.drop(device.copy.here.content);
    if (choice === "discard") this.drop(offer.content);
    device.copy = chooseDraft(device.copy, choice, offer.version);
  }

  blur(device: Device): void {
    device.isFocused = false;
    device.copy = settleCopy(device.copy, false);
  }

  /** The request may be lost, and so may its answer. */
  async save(device: Device, isSafe = false): Promise<void> {
    const body = bodyToSave(device.copy, (id) => device.posting.has(id));
    if (body === null || (!isSafe && this.random() < 0.1)) return;
    device.copy = beginSave(device.copy, body, () => crypto.randomUUID());
    await this.put(device, isSafe || this.random() < 0.8);
  }

  /** Saves what is being sent. */
  async put(device: Device, isAnswered: boolean): Promise<void> {
    const { base, sending } = device.copy;
    if (!sending) return;
    const answer = await device.client.put("/api/drafts", {
      room_id: this.roomId,
      base_version: base.version,
      content: sending.content || null,
      client_id: sending.client_id,
      device: device.client.user.username,
    });
    if (!isAnswered) return;
    if (answer.status === 200) {
      device.copy = confirmSaved(device.copy, sending, answer.body.version);
    } else {
      expect(answer.body.code).toBe("draft_changed");
      const saved = toSavedDraft(answer.body.draft);
      device.copy = refuseSaved(device.copy, saved, base.version, device.isFocused);
    }
  }

  /** Posts what is written, beside a save that is still under way, perhaps. */
  async send(device: Device): Promise<void> {
    const { here } = device.copy;
    if (here.content === "") return;
    const saving = this.random() < 0.5 ? this.save(device) : Promise.resolve();
    const posting = postDraft(device.copy, () => crypto.randomUUID());
    const client_id = posting?.client_id ?? crypto.randomUUID();
    device.posting.add(client_id);
    if (posting) device.copy = posting.copy;
    device.copy = writeBody(device.copy, NO_BODY);
    let naming = Promise.resolve();
    if (posting?.isForeign && !device.copy.sending) {
      device.copy = { ...device.copy, sending: { ...here, client_id } };
      naming = this.put(device, true);
    }
    const clears = posting && { clears_draft: true };
    await device.client.say(this.roomId, here.content, { client_id, ...clears });
    device.posting.delete(client_id);
    await Promise.all([saving, naming]);
  }

  /** Takes in some of what its socket has received. */
  hear(device: Device): void {
    const { heard } = device.socket;
    if (device.taken < heard.length) this.take(device, heard[device.taken++]);
  }

  take(device: Device, event: { type: string; room_id?: string }): void {
    if (event.type !== "draft" || event.room_id !== this.roomId) return;
    device.copy = receiveDraft(device.copy, toSavedDraft(event as never), device.isFocused);
  }

  async connect(device: Device): Promise<void> {
    const path = "/api/drafts?after=2020-01-01T00:00:00Z";
    const all: StoredDraft[] = (await device.client.get(path)).body.items;
    const mine = all.find(({ room_id }) => room_id === this.roomId);
    if (mine) device.copy = receiveDraft(device.copy, toSavedDraft(mine), device.isFocused);
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
        // Once: a socket may send a few frames a second. What comes later is in the list.
        if (round === 0) await device.socket.drain();
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
      Object.assign(device, { copy: emptyCopy, isFocused: false });
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
        ...devices.flatMap(({ copy }) => [copy.here.content, offerOf(copy)?.content ?? ""]),
      ].flatMap(words),
    );
    const lost = [...run.written].filter((word) => !run.dropped.has(word) && !visible.has(word));
    if (lost.length > 0) console.error(`SNUG_SEED=${seed} after ${run.log.join(", ")}`);
    expect(lost).toEqual([]);
    // What the service has is on each device, or offered there.
    const all: StoredDraft[] = (await ada.get("/api/drafts")).body.items;
    const stored = all.find(({ room_id }) => room_id === roomId)?.content ?? "";
    for (const { copy } of devices) {
      expect([copy.here.content, offerOf(copy)?.content ?? ""]).toContain(stored);
    }
  }
});
