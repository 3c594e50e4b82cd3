import { expect, test } from "bun:test";
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
  type DraftBody,
  type DraftCopy,
  emptyCopy,
  NO_BODY,
  type SavedDraft,
  offerOf,
} from "../../public/app/state/model/draft-copy.ts";
import { repeats, seeded } from "../support/soak.ts";

const RUNS = repeats(300, 200_000);
const STEPS = 60;
const NAMES = ["phone", "laptop", "tablet"];

/** One device: what it shows, and the request that is under way. */
type Device = {
  name: string;
  copy: DraftCopy;
  isFocused: boolean;
  isOnline: boolean;
  /** What the service has announced and the device has not received. */
  inbox: SavedDraft[];
  flight: { body: DraftBody; clientId: string | null; base: number; isLost: boolean } | null;
  /** What was posted and is not stored: with which ids. */
  outbox: string[];
};

const words = (text: string) => text.split(/\s+/).filter(Boolean);

/** A draft on three devices and the service, with everything that was ever written in it. */
class World {
  saved: SavedDraft = { ...NO_BODY, version: 0, client_id: null, device: null, at: "" };
  /** The ids of the messages that are stored. */
  readonly stored = new Set<string>();
  #ids = 0;
  readonly devices = NAMES.map((name): Device => ({
    name,
    copy: emptyCopy,
    isFocused: false,
    isOnline: true,
    inbox: [],
    flight: null,
    outbox: [],
  }));
  readonly written = new Set<string>();
  /** Sent, or discarded by hand. */
  readonly done = new Set<string>();
  readonly log: string[] = [];

  constructor(readonly random: () => number) {}

  pick<T>(list: readonly T[]): T {
    return list[Math.floor(this.random() * list.length)] as T;
  }

  finish(text: string): void {
    for (const word of words(text)) this.done.add(word);
  }

  type(device: Device): void {
    const word = `w${this.written.size}`;
    this.written.add(word);
    device.isFocused = true;
    const content = [...words(device.copy.here.content), word].join(" ");
    device.copy = writeBody(device.copy, { content });
  }

  /** Attaches an image, or takes it off. */
  attach(device: Device): void {
    const image = device.copy.here.image ? null : ({ id: this.newId() } as DraftBody["image"]);
    device.copy = writeBody(device.copy, { image });
  }

  readonly newId = () => `id${this.#ids++}`;

  /** Deletes a word, or everything. */
  erase(device: Device): void {
    const count = this.random() < 0.5 ? 1 : Number.POSITIVE_INFINITY;
    const all = words(device.copy.here.content);
    this.finish(all.slice(0, count).join(" "));
    device.copy = writeBody(device.copy, { content: all.slice(count).join(" ") });
  }

  /** Puts what is written into the outbox, which outlives everything here. */
  send(device: Device): void {
    const { here } = device.copy;
    if (here.content === "") return;
    this.finish(here.content);
    const posting = postDraft(device.copy, this.newId);
    if (posting) {
      device.copy = posting.copy;
      device.outbox.push(posting.client_id);
    }
    device.copy = writeBody(device.copy, NO_BODY);
  }

  /** The service stores a message, and clears the draft of its id in the same statement. */
  deliver(device: Device): void {
    const id = device.isOnline && device.outbox.shift();
    if (!id) return;
    this.stored.add(id);
    if (this.saved.client_id === id) this.store({ ...NO_BODY, client_id: null }, device.name);
  }

  store(body: DraftBody & { client_id: string | null }, name: string): void {
    this.saved = { ...body, version: this.saved.version + 1, device: name, at: "" };
    for (const one of this.devices) if (one.isOnline) one.inbox.push(this.saved);
  }

  choose(device: Device): void {
    const offer = offerOf(device.copy);
    if (!offer) return;
    const choice = this.pick<DraftChoice>(["use", "add", "discard"]);
    if (choice === "use") this.finish(device.copy.here.content);
    if (choice === "discard") this.finish(offer.content);
    device.copy = chooseDraft(device.copy, choice, offer.version);
  }

  blur(device: Device): void {
    device.isFocused = false;
    device.copy = settleCopy(device.copy, false);
  }

  save(device: Device): void {
    const body = bodyToSave(device.copy, (id) => device.outbox.includes(id));
    if (device.flight || body === null || !device.isOnline) return;
    device.copy = beginSave(device.copy, body, this.newId);
    const clientId = device.copy.sending?.client_id ?? null;
    const base = device.copy.base.version;
    device.flight = { body, clientId, base, isLost: this.random() < 0.2 };
  }

  /** The request arrives, or not, and its answer arrives, or not. */
  answer(device: Device): void {
    const { flight } = device;
    if (!flight) return;
    device.flight = null;
    if (flight.isLost && this.random() < 0.5) return;
    const isCurrent = flight.base === this.saved.version;
    const isPosted = flight.clientId !== null && this.stored.has(flight.clientId);
    if (isCurrent && !isPosted) {
      const client_id = flight.body.content === "" ? null : flight.clientId;
      this.store({ ...flight.body, client_id }, device.name);
    } else if (isCurrent && this.saved.content !== "") {
      this.store({ ...NO_BODY, client_id: null }, device.name);
    }
    if (flight.isLost || !device.isOnline) return;
    device.copy = isCurrent
      ? confirmSaved(device.copy, flight.body, this.saved.version)
      : refuseSaved(device.copy, this.saved, flight.base, device.isFocused);
  }

  /** One of the events that are under way arrives: not the first, perhaps. */
  hear(device: Device): void {
    if (device.inbox.length === 0) return;
    const at = Math.floor(this.random() * device.inbox.length);
    const [saved] = device.inbox.splice(at, 1);
    if (saved) device.copy = receiveDraft(device.copy, saved, device.isFocused);
  }

  disconnect(device: Device): void {
    device.isOnline = false;
    device.inbox = [];
  }

  connect(device: Device): void {
    device.isOnline = true;
    device.copy = receiveDraft(device.copy, this.saved, device.isFocused);
  }

  step(): void {
    const device = this.pick(this.devices);
    const action = this.pick(ACTIONS);
    this.log.push(`${device.name} ${action}`);
    this[action](device);
  }

  /** All devices are connected and at rest, and what is under way arrives. */
  rest(): void {
    for (let round = 0; round < 20; round++) {
      for (const device of this.devices) {
        this.connect(device);
        this.blur(device);
        while (device.outbox.length > 0) this.deliver(device);
        this.save(device);
        if (device.flight) device.flight.isLost = false;
        this.answer(device);
        while (device.inbox.length > 0) this.hear(device);
      }
    }
  }

  visible(): Set<string> {
    const texts = this.devices.flatMap(({ copy }) => [
      copy.here.content,
      offerOf(copy)?.content ?? "",
    ]);
    return new Set(texts.flatMap(words));
  }
}

const ACTIONS = [
  ...(["type", "type", "type", "erase", "attach", "send", "deliver", "choose", "blur"] as const),
  ...(["save", "save", "answer", "answer", "hear", "hear", "disconnect", "connect"] as const),
];

test(`three devices lose no word of a draft, whatever happens when: ${RUNS} runs`, () => {
  for (let seed = 1; seed <= RUNS; seed++) {
    const world = new World(seeded(seed));
    for (let n = 0; n < STEPS; n++) world.step();
    world.rest();
    const visible = world.visible();
    const lost = [...world.written].filter((word) => !world.done.has(word) && !visible.has(word));
    if (lost.length > 0) console.error(`SNUG_SEED=${seed} after ${world.log.join(", ")}`);
    expect(lost).toEqual([]);
    // At rest, a device shows what the service has, or offers it.
    for (const { copy } of world.devices) {
      expect([copy.here.content, offerOf(copy)?.content]).toContain(world.saved.content);
    }
  }
});
