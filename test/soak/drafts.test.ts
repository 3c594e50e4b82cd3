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
  isEmptyBody,
  NO_BODY,
  type SavedDraft,
  offerOf,
  type StoredDraft,
} from "../../public/app/state/model/draft-copy.ts";
import { DeviceDrafts } from "../../public/app/state/drafts/device-drafts.ts";
import { Draft } from "../../public/app/state/drafts/draft.ts";
import { WritingMark } from "../../public/app/state/drafts/writing-mark.ts";
import { repeats, seeded } from "../support/soak.ts";
import { type Tab, Tabs } from "../support/tabs.ts";

const RUNS = repeats(300, 20_000);
const STEPS = 100;
/** The devices, and how many tabs are open in the browser of each. */
const DEVICES = { phone: 1, laptop: 2, tablet: 3 };
const KEY = "room";
const STEP_MS = 500;

type Flight = { body: DraftBody; clientId: string | null; base: number; isLost: boolean };

const words = (text: string) => text.split(/\s+/).filter(Boolean);

/** The browser of a device: its tabs, and what they have posted and not received. */
class Device {
  readonly pending: (() => void)[] = [];
  readonly browser = new Tabs((work) => void this.pending.push(work));
  readonly tabs: DeviceTab[] = [];
  isOnline = true;
  /** What was posted and is not stored: with which ids. */
  readonly outbox: string[] = [];

  constructor(
    readonly name: string,
    readonly now: () => number,
  ) {}

  open(): DeviceTab {
    const tab = new DeviceTab(this);
    this.tabs.push(tab);
    return tab;
  }

  deliver(): void {
    while (this.pending.length > 0) this.pending.shift()?.();
  }

  /** What a person can find in any of its tabs. */
  get visible(): string[] {
    return this.tabs
      .flatMap(({ copy, shown }) => [copy.here.content, shown.text.value, offerOf(copy)?.content])
      .flatMap((text) => words(text ?? ""));
  }
}

/** A tab, as the composer and the code that saves drafts drive it. */
class DeviceTab {
  readonly #tab: Tab;
  readonly #drafts: DeviceDrafts;
  readonly #mark: WritingMark;
  readonly shown: Draft;
  /** What the service has announced and the tab has not received. */
  inbox: SavedDraft[] = [];
  flight: Flight | null = null;
  /** Whether the storage had space for its last change. */
  isStored = true;

  constructor(readonly device: Device) {
    this.#tab = device.browser.open();
    this.#mark = new WritingMark(this.#tab.storage);
    this.#drafts = new DeviceDrafts(this.#tab.storage, "ada", device.now);
    const store = (content: string) => this.change((copy) => writeBody(copy, { content }));
    this.shown = new Draft(this.#drafts, KEY, store, device.now);
    this.#drafts.watch((_, before) => this.shown.follow(before));
  }

  get copy(): StoredDraft {
    return this.#drafts.read(KEY);
  }

  change(edit: (copy: DraftCopy) => DraftCopy): void {
    const before = this.copy;
    const next = { ...before, ...edit(before) };
    if (!Bun.deepEquals(next, before)) this.isStored = this.#drafts.write(KEY, next);
  }

  get isWriting(): boolean {
    return this.#mark.has(KEY);
  }

  focus(): void {
    this.#mark.begin(KEY);
    this.shown.follow();
  }

  blur(): void {
    this.#mark.end(KEY);
    this.change((copy) => settleCopy(copy, this.isWriting));
  }

  kill(): void {
    this.#tab.kill();
    this.device.tabs.splice(this.device.tabs.indexOf(this), 1);
  }
}

/** A draft on three devices and the service, with everything that was ever written in it. */
class World {
  saved: SavedDraft = { ...NO_BODY, version: 0, client_id: null, device: null, at: "" };
  /** The ids of the messages that are stored. */
  readonly stored = new Set<string>();
  #ids = 0;
  #now = 0;
  readonly devices = Object.entries(DEVICES).map(([name, count]) => {
    const device = new Device(name, () => this.#now);
    for (let n = 0; n < count; n++) device.open();
    return device;
  });
  /** The tab in which the person writes. */
  #focused: DeviceTab | null = null;
  readonly written = new Set<string>();
  /** Sent, or discarded by hand, or in no place that outlives what was killed. */
  readonly done = new Set<string>();
  readonly log: string[] = [];

  constructor(readonly random: () => number) {}

  pick<T>(list: readonly T[]): T {
    return list[Math.floor(this.random() * list.length)] as T;
  }

  finish(text: string): void {
    for (const word of words(text)) this.done.add(word);
  }

  /** The person turns to a tab. */
  #enter(tab: DeviceTab): void {
    if (this.#focused === tab) return;
    this.#focused?.blur();
    // No key is pressed within these milliseconds.
    this.#focused?.device.deliver();
    this.#focused = tab;
    tab.focus();
  }

  type(tab: DeviceTab): void {
    this.#enter(tab);
    const word = `w${this.written.size}`;
    this.written.add(word);
    tab.shown.write([...words(tab.shown.text.value), word].join(" "));
  }

  /** Attaches an image, or takes it off. */
  attach(tab: DeviceTab): void {
    this.#enter(tab);
    const image = tab.copy.here.image ? null : ({ id: this.newId() } as DraftBody["image"]);
    tab.change((copy) => writeBody(copy, { image }));
  }

  readonly newId = () => `id${this.#ids++}`;

  /** Deletes a word, or everything. */
  erase(tab: DeviceTab): void {
    this.#enter(tab);
    const count = this.random() < 0.5 ? 1 : Number.POSITIVE_INFINITY;
    const all = words(tab.shown.text.value);
    this.finish(all.slice(0, count).join(" "));
    tab.shown.write(all.slice(count).join(" "));
  }

  /** Puts what is written into the outbox, which outlives everything here. */
  send(tab: DeviceTab): void {
    this.#enter(tab);
    const { value: text } = tab.shown.text;
    if (text === "") return;
    this.finish(text);
    const posting = postDraft(tab.copy, this.newId);
    if (posting) {
      tab.change((copy) => ({ ...copy, ...posting.copy }));
      tab.device.outbox.push(posting.client_id);
    }
    tab.change((copy) => writeBody(copy, { ...NO_BODY, content: text }));
    tab.shown.write("");
  }

  /** The service stores a message, and clears the draft of its id in the same statement. */
  deliver({ device }: DeviceTab): void {
    const id = device.isOnline && device.outbox.shift();
    if (!id) return;
    this.stored.add(id);
    if (this.saved.client_id === id) this.store({ ...NO_BODY, client_id: null }, device.name);
  }

  store(body: DraftBody & { client_id: string | null }, name: string): void {
    this.saved = { ...body, version: this.saved.version + 1, device: name, at: "" };
    for (const { isOnline, tabs } of this.devices)
      if (isOnline) for (const tab of tabs) tab.inbox.push(this.saved);
  }

  choose(tab: DeviceTab): void {
    this.#enter(tab);
    const { copy } = tab;
    const offer = offerOf(copy);
    if (!offer) return;
    const choice = this.pick<DraftChoice>(["use", "add", "discard"]);
    if (choice === "use") this.finish(copy.here.content);
    if (choice === "discard") this.finish(offer.content);
    tab.change((now) => chooseDraft(now, choice, offer.version));
  }

  blur(tab: DeviceTab): void {
    if (this.#focused === tab) this.#focused = null;
    tab.blur();
  }

  save(tab: DeviceTab): void {
    const { device } = tab;
    const body = bodyToSave(tab.copy, (id) => device.outbox.includes(id));
    if (tab.flight || body === null || !device.isOnline) return;
    tab.change((copy) => beginSave(copy, body, this.newId));
    const { sending, base } = tab.copy;
    const clientId = sending?.client_id ?? null;
    tab.flight = { body, clientId, base: base.version, isLost: this.random() < 0.2 };
  }

  /** The request arrives, or not, and its response arrives, or not. */
  answer(tab: DeviceTab): void {
    const { flight, device } = tab;
    if (!flight) return;
    tab.flight = null;
    if (flight.isLost && this.random() < 0.5) return;
    const isCurrent = flight.base === this.saved.version;
    const isPosted = flight.clientId !== null && this.stored.has(flight.clientId);
    if (isCurrent && !isPosted) {
      const client_id = flight.body.content === "" ? null : flight.clientId;
      this.store({ ...flight.body, client_id }, device.name);
    } else if (isCurrent && !isEmptyBody(this.saved)) {
      this.store({ ...NO_BODY, client_id: null }, device.name);
    }
    if (flight.isLost || !device.isOnline) return;
    tab.change((copy) =>
      isCurrent
        ? confirmSaved(copy, flight.body, this.saved.version)
        : refuseSaved(copy, this.saved, flight.base, tab.isWriting),
    );
  }

  /** One of the events that are under way arrives: not the first, perhaps. */
  hear(tab: DeviceTab): void {
    if (tab.inbox.length === 0) return;
    const at = Math.floor(this.random() * tab.inbox.length);
    const [saved] = tab.inbox.splice(at, 1);
    if (saved) tab.change((copy) => receiveDraft(copy, saved, tab.isWriting));
  }

  disconnect({ device }: DeviceTab): void {
    device.isOnline = false;
    for (const tab of device.tabs) tab.inbox = [];
  }

  connect({ device }: DeviceTab): void {
    device.isOnline = true;
    for (const tab of device.tabs)
      tab.change((copy) => receiveDraft(copy, this.saved, tab.isWriting));
  }

  /** The storage of a browser becomes full, or has space again. */
  fill({ device: { browser } }: DeviceTab): void {
    browser.isFull = !browser.isFull;
  }

  /** A tab is killed, perhaps in the middle of a request, and another one is opened. */
  kill(tab: DeviceTab): void {
    const { device } = tab;
    const text = tab.shown.text.value;
    if (this.#focused === tab) this.#focused = null;
    tab.kill();
    const next = device.open();
    // Messages need less time than the load of a page.
    device.deliver();
    if (device.isOnline) next.change((copy) => receiveDraft(copy, this.saved, next.isWriting));
    if (device.tabs.length > 1 || tab.isStored) return;
    // The words were in the memory of this page alone.
    const elsewhere = new Set(device.visible);
    for (const word of words(text)) if (!elsewhere.has(word)) this.done.add(word);
  }

  step(): void {
    this.#now += STEP_MS;
    const device = this.pick(this.devices);
    const { tabs, name } = device;
    const index = Math.floor(this.random() * tabs.length);
    const action = this.pick(ACTIONS);
    // Messages need milliseconds and actions half a second, but a tab may be killed between them.
    if (action !== "kill") device.deliver();
    this.log.push(`${name} ${index} ${action}`);
    this[action](tabs[index] as DeviceTab);
  }

  /** All devices are connected and at rest, and what is under way arrives. */
  rest(): void {
    for (let round = 0; round < 20; round++) {
      this.#now += 10 * STEP_MS;
      for (const tab of this.devices.flatMap(({ tabs }) => [...tabs])) {
        tab.device.deliver();
        this.connect(tab);
        this.blur(tab);
        while (tab.device.outbox.length > 0) this.deliver(tab);
        this.save(tab);
        if (tab.flight) tab.flight.isLost = false;
        this.answer(tab);
        while (tab.inbox.length > 0) this.hear(tab);
      }
    }
  }
}

const ACTIONS = [
  ...(["type", "type", "type", "erase", "attach", "send", "deliver", "choose", "blur"] as const),
  ...(["save", "save", "answer", "answer", "hear", "hear", "disconnect", "connect"] as const),
  ...(["fill", "kill"] as const),
];

test(`three devices lose no word of a draft, whatever happens when: ${RUNS} runs`, () => {
  for (let seed = 1; seed <= RUNS; seed++) {
    const world = new World(seeded(seed));
    for (let n = 0; n < STEPS; n++) world.step();
    world.rest();
    const visible = new Set(world.devices.flatMap((device) => device.visible));
    const lost = [...world.written].filter((word) => !world.done.has(word) && !visible.has(word));
    if (lost.length > 0) console.error(`SNUG_SEED=${seed} after ${world.log.join(", ")}`);
    expect(lost).toEqual([]);
    // At rest, a tab shows what the service has, or offers it.
    for (const { copy, shown } of world.devices.flatMap(({ tabs }) => tabs)) {
      const { content } = copy.here;
      expect(shown.text.value).toBe(content);
      // It was sent or discarded in a tab that was killed before the storage had space for that.
      if (content !== "" && words(content).every((word) => world.done.has(word))) continue;
      expect([content, offerOf(copy)?.content]).toContain(world.saved.content);
    }
  }
});
