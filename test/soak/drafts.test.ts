import { expect, test } from "bun:test";
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
  flight: { text: string; base: number; isLost: boolean } | null;
};

const words = (text: string) => text.split(/\s+/).filter(Boolean);

/** A draft on three devices and the service, with everything that was ever written in it. */
class World {
  saved: SavedDraft = { version: 0, content: "", device: null, at: "" };
  readonly devices = NAMES.map((name): Device => ({
    ...{ name, copy: emptyCopy, isFocused: false, isOnline: true },
    ...{ inbox: [], flight: null },
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
    device.copy = writeText(device.copy, [device.copy.text, word].filter(Boolean).join(" "));
  }

  /** Deletes a word, or everything. */
  erase(device: Device): void {
    const count = this.random() < 0.5 ? 1 : Number.POSITIVE_INFINITY;
    const all = words(device.copy.text);
    this.finish(all.slice(0, count).join(" "));
    device.copy = writeText(device.copy, all.slice(count).join(" "));
  }

  send(device: Device): void {
    this.finish(device.copy.text);
    device.copy = writeText(device.copy, "");
  }

  choose(device: Device): void {
    const offer = offerOf(device.copy);
    if (!offer) return;
    const choice = this.pick<DraftChoice>(["use", "add", "discard"]);
    if (choice === "use") this.finish(device.copy.text);
    if (choice === "discard") this.finish(offer.content);
    device.copy = chooseDraft(device.copy, choice, offer.version);
  }

  blur(device: Device): void {
    device.isFocused = false;
    device.copy = settle(device.copy, false);
  }

  save(device: Device): void {
    const text = textToSave(device.copy);
    if (device.flight || text === null || !device.isOnline) return;
    device.flight = { text, base: device.copy.base.version, isLost: this.random() < 0.2 };
    device.copy = { ...device.copy, sending: text };
  }

  /** The request arrives, or not, and its answer arrives, or not. */
  answer(device: Device): void {
    const { flight } = device;
    if (!flight) return;
    device.flight = null;
    if (flight.isLost && this.random() < 0.5) return;
    const isCurrent = flight.base === this.saved.version;
    if (isCurrent) {
      const version = this.saved.version + 1;
      this.saved = { version, content: flight.text, device: device.name, at: "" };
      for (const one of this.devices) if (one.isOnline) one.inbox.push(this.saved);
    }
    if (flight.isLost || !device.isOnline) return;
    device.copy = isCurrent
      ? confirmSaved(device.copy, flight.text, this.saved.version)
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
        this.save(device);
        if (device.flight) device.flight.isLost = false;
        this.answer(device);
        while (device.inbox.length > 0) this.hear(device);
      }
    }
  }

  visible(): Set<string> {
    const texts = this.devices.flatMap(({ copy }) => [copy.text, offerOf(copy)?.content ?? ""]);
    return new Set(texts.flatMap(words));
  }
}

const ACTIONS = [
  ...(["type", "type", "type", "erase", "send", "choose", "blur"] as const),
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
      expect([copy.text, offerOf(copy)?.content]).toContain(world.saved.content);
    }
  }
});
