import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { ApiError } from "../../public/app/connection/api.ts";
import { type DraftAttachments, offerOf } from "../../public/app/state/model/draft-copy.ts";
import { importFormerDrafts } from "../../public/app/state/drafts/former-drafts.ts";
import { DraftSync } from "../../public/app/state/drafts/draft-sync.ts";
import { DeviceDrafts } from "../../public/app/state/drafts/device-drafts.ts";
import { ScriptedApi, ScriptedClock } from "../support/scripted.ts";
import { type Tab, Tabs } from "../support/tabs.ts";

const room = Bun.randomUUIDv7();
const image = {
  id: "picture",
  url: "/x",
  width: 1,
  height: 1,
} as unknown as DraftAttachments["image"];

let script: ScriptedApi;
let clock: ScriptedClock;
let tabs: Tabs;
let device: DeviceDrafts;
let drafts: DraftSync;
let posting: Set<string>;
let shown: DraftAttachments[];
beforeEach(async () => {
  [script, clock, tabs, posting, shown] = [
    new ScriptedApi(),
    new ScriptedClock(),
    new Tabs(),
    new Set(),
    [],
  ];
  drafts = open();
  drafts.load();
  await script.calls[0]?.answer({ items: [] });
});
afterEach(() => drafts.stop());

let ids = 0;
function open(): DraftSync {
  device = openDevice();
  return new DraftSync({
    api: script.api,
    clock,
    drafts: device,
    device: "computer",
    newId: () => `id-${++ids}`,
    isWriting: () => false,
    isPosting: (id) => posting.has(id),
    onAttachments: (_, { quote_id, image, file }) => shown.push({ quote_id, image, file }),
    hasRoom: () => true,
    onDeleted: () => {},
  });
}

let tab: Tab;
function openDevice(): DeviceDrafts {
  tab = tabs.open();
  return new DeviceDrafts(tab.storage, "ada", () => clock.now());
}
const text = () => device.read(room).here.content;
const write = (content: string) => drafts.write(room, { content });
const puts = () => script.calls.filter(({ body }) => body !== undefined);
const lastPut = () => puts().at(-1) as NonNullable<ReturnType<typeof puts>[0]>;
/** What the service says of the draft. */
function hear(version: number, content: string | null, more = {}): void {
  drafts.onEvent({
    type: "draft",
    room_id: room,
    room: null,
    thread_id: null,
    content,
    quote_id: null,
    image: null,
    file: null,
    client_id: null,
    version,
    device: "phone",
    updated_at: "2026-01-01T00:00:00Z",
    ...more,
  });
}
/** Sends what is written, as the composer does. */
function send() {
  const posted = drafts.post(room);
  if (posted) posting.add(posted.client_id);
  write("");
  return posted;
}

test("an answer after its person has signed out stores nothing", async () => {
  write("almost saved");
  const saving = drafts.flush();
  drafts.stop();
  for (const key of tabs.stored.keys()) tabs.stored.delete(key);
  await lastPut().answer({ version: 1 });
  await saving;
  expect([...tabs.stored]).toEqual([]);
  await clock.pass(60_000);
  expect(puts()).toHaveLength(1);
});

describe("sending", () => {
  test("before anything was saved needs no draft, and saves none", async () => {
    write("hello");
    await clock.pass(1_999);
    expect(send()).toBeNull();
    await clock.pass(60_000);
    expect(puts()).toEqual([]);
  });

  test("clears what was saved by the message alone, however long it waits", async () => {
    write("hello");
    await clock.pass(2_000);
    const { client_id } = lastPut().body as { client_id: string };
    expect(lastPut().body).toMatchObject({ content: "hello", base_version: 0 });
    await lastPut().answer({ version: 1 });
    expect(send()).toEqual({ client_id, clears_draft: true });
    await clock.pass(600_000);
    expect(puts()).toHaveLength(1);
    // It is stored, and the draft cleared with it.
    posting.clear();
    drafts.followPosted();
    hear(2, null);
    await clock.pass(60_000);
    expect(puts()).toHaveLength(1);
  });

  test("beside a save that is under way clears it too, whichever arrives first", async () => {
    write("hello");
    await clock.pass(2_000);
    const { client_id } = lastPut().body as { client_id: string };
    expect(send()).toEqual({ client_id, clears_draft: true });
    await lastPut().answer({ version: 1 });
    await clock.pass(60_000);
    expect(puts()).toHaveLength(1);
  });

  test("of what another device has saved names it first", async () => {
    hear(4, "from the phone", { client_id: "of the phone" });
    expect(text()).toBe("from the phone");
    const posted = send();
    expect(posted?.client_id).not.toBe("of the phone");
    expect(lastPut().body).toMatchObject({
      content: "from the phone",
      base_version: 4,
      client_id: posted?.client_id,
    });
    await lastPut().answer({ version: 4 });
    posting.clear();
    drafts.followPosted();
    hear(5, null);
    await clock.pass(60_000);
    expect([puts().length, text()]).toEqual([1, ""]);
  });

  test("leaves what is written next alone, which has an id of its own", async () => {
    write("hello");
    await clock.pass(2_000);
    await lastPut().answer({ version: 1 });
    const posted = send();
    write("and more");
    await clock.pass(2_000);
    const body = lastPut().body as { client_id: string };
    expect(body).toMatchObject({ content: "and more", base_version: 1 });
    expect(body.client_id).not.toBe(posted?.client_id);
    // The message was stored before: what is saved follows the cleared draft.
    const draft = { content: null, version: 2, quote_id: null, image: null, file: null };
    const cleared = { ...draft, client_id: null, device: null, updated_at: "2026-01-01T00:00:00Z" };
    await lastPut().fail(new ApiError("draft_changed", "", 409, [], cleared as never));
    expect(text()).toBe("and more");
    await clock.pass(2_000);
    expect(lastPut().body).toMatchObject({ content: "and more", base_version: 2 });
  });

  test("in vain keeps the draft until the message is discarded", async () => {
    write("hello");
    await clock.pass(2_000);
    await lastPut().answer({ version: 1 });
    send();
    void drafts.flush();
    await clock.pass(60_000);
    expect(puts()).toHaveLength(1);
    posting.clear();
    drafts.followPosted();
    await clock.pass(2_000);
    expect(lastPut().body).toMatchObject({ content: null, base_version: 1 });
    await lastPut().answer({ version: 2 });
    await clock.pass(60_000);
    expect(puts()).toHaveLength(2);
  });

  test("outlives a reload: the page that follows saves nothing either", async () => {
    write("hello");
    await clock.pass(2_000);
    await lastPut().answer({ version: 1 });
    send();
    drafts.stop();
    drafts = open();
    drafts.load();
    const item = { room_id: room, thread_id: null, content: "hello", version: 1 };
    await script.calls.at(-1)?.answer({ items: [item] });
    await clock.pass(60_000);
    expect(text()).toBe("");
    expect(puts()).toHaveLength(1);
  });
});

test("what is written is saved two seconds after the last key, and at once where the page is hidden", async () => {
  for (const content of ["h", "he", "hel"]) {
    write(content);
    await clock.pass(1_500);
  }
  expect(puts()).toEqual([]);
  void drafts.flush();
  expect(lastPut().body).toMatchObject({ content: "hel" });
});

test("of two drafts the one that is used replaces what is here, and what is discarded can be added again", () => {
  write("mine");
  hear(1, "theirs");
  drafts.choose(room, "use", 1);
  expect(text()).toBe("theirs");
  write("theirs, changed");
  hear(2, "other words");
  const offer = { content: "other words", quote_id: null, image: null, file: null };
  drafts.choose(room, "discard", 2);
  expect(text()).toBe("theirs, changed");
  drafts.append(room, offer);
  expect(text()).toBe("theirs, changed\nother words");
});

describe("what goes with a draft", () => {
  test("is saved with it, comes from other devices, and outlives a reload", async () => {
    drafts.write(room, { quote_id: "quoted", image, file: null });
    await clock.pass(2_000);
    expect(lastPut().body).toMatchObject({
      content: null,
      quote_id: "quoted",
      image_id: "picture",
      file_id: null,
    });
    await lastPut().answer({ version: 1 });
    hear(2, "look", { image });
    expect([text(), shown.at(-1)]).toEqual(["look", { quote_id: null, image, file: null }]);
    shown.length = 0;
    drafts.stop();
    drafts = open();
    expect(shown).toEqual([{ quote_id: null, image, file: null }]);
    await clock.pass(0);
    expect(device.read(room).here.image?.id).toBe("picture");
  });

  test("alone is a draft of another device, from the time when it was saved", () => {
    hear(1, null, { image });
    expect(device.read(room).at).toBe("2026-01-01T00:00:00Z");
  });

  test("is offered with another device's draft, and added beside what is here", async () => {
    write("mine");
    hear(1, "theirs", { image });
    expect(text()).toBe("mine");
    drafts.choose(room, "add", 1);
    expect([text(), shown.at(-1)?.image?.id]).toEqual(["mine\ntheirs", "picture"]);
  });

  test("that was sent from another device is left out, and the text saved without it", async () => {
    drafts.write(room, { quote_id: null, image, file: null });
    write("look");
    await clock.pass(2_000);
    await lastPut().fail(new ApiError("unknown_upload", "", 422));
    expect(shown.at(-1)?.image).toBeNull();
    await clock.pass(2_000);
    expect(lastPut().body).toMatchObject({ content: "look", image_id: null });
  });
});

describe("a browser without space", () => {
  test("saves what is written, and what is written next on top of it", async () => {
    tabs.isFull = true;
    write("in no storage");
    await clock.pass(2_000);
    expect(lastPut().body).toMatchObject({ content: "in no storage", base_version: 0 });
    await lastPut().answer({ version: 1 });
    write("in no storage, and more");
    await clock.pass(2_000);
    expect(lastPut().body).toMatchObject({ content: "in no storage, and more", base_version: 1 });
    await lastPut().answer({ version: 2 });
    expect([text(), offerOf(device.read(room)), [...tabs.stored]]).toEqual([
      "in no storage, and more",
      null,
      [],
    ]);
  });

  test("never has an old text with the version of a newer one", async () => {
    write("old");
    await clock.pass(2_000);
    await lastPut().answer({ version: 1 });
    tabs.isFull = true;
    hear(2, "what the phone has written meanwhile");
    expect(text()).toBe("what the phone has written meanwhile");

    // The next page, from the storage alone.
    drafts.stop();
    tab.kill();
    tabs.isFull = false;
    drafts = open();
    expect(text()).toBe("old");
    write("old, and changed");
    await clock.pass(2_000);
    expect(lastPut().body).toMatchObject({ content: "old, and changed", base_version: 1 });
    hear(2, "what the phone has written meanwhile");
    await clock.pass(0);
    expect(offerOf(device.read(room))?.content).toBe("what the phone has written meanwhile");
  });

  test("still has a draft that was offered, where its text is taken over", () => {
    write("mine");
    hear(1, "theirs, which is longer");
    tabs.isFull = true;
    drafts.choose(room, "use", 1);
    expect(text()).toBe("theirs, which is longer");
    // The next page offers it again.
    const { here, other } = openDevice().read(room);
    expect([here.content, other?.content]).toEqual(["mine", "theirs, which is longer"]);
  });

  test("shares what is written with the other tabs, and those opened later", async () => {
    const beside = openDevice();
    tabs.isFull = true;
    write("in no storage");
    await clock.pass(0);
    expect(beside.read(room).here.content).toBe("in no storage");
    tab.kill();
    const later = openDevice();
    await clock.pass(0);
    expect(later.read(room).here.content).toBe("in no storage");
  });

  test("has the last word of a tab that is killed, in the tab beside it", async () => {
    const beside = openDevice();
    drafts.stop();
    drafts = open();
    tabs.isFull = true;
    write("almost there");
    tab.kill();
    await clock.pass(0);
    expect(beside.read(room).here.content).toBe("almost there");
  });

  test("stores a draft once there is space", () => {
    tabs.isFull = true;
    write("first");
    tabs.isFull = false;
    write("first and second");
    expect(openDevice().read(room).here.content).toBe("first and second");
  });
});

describe("a draft that an earlier version has stored", () => {
  const former = { text: `snug.draft.ada.${room}`, facts: `snug.draft-copy.ada.${room}` };
  const facts = { base: { content: "saved", version: 3 }, client_id: "mine", parts: { image } };
  const hasFormer = () => [tabs.stored.has(former.text), tabs.stored.has(former.facts)];
  const take = () => importFormerDrafts(tabs.open().storage, "ada", device);

  test("moves to its one key, with what is known of it on the service", () => {
    tabs.stored.set(former.text, "saved, and changed");
    tabs.stored.set(former.facts, JSON.stringify(facts));
    take();
    expect([text(), device.keys(), hasFormer()]).toEqual([
      "saved, and changed",
      [room],
      [false, false],
    ]);
    drafts.left(room);
    expect(lastPut().body).toMatchObject({
      content: "saved, and changed",
      base_version: 3,
      image_id: "picture",
    });
  });

  test("stays where there is no space to move it, and is shown", () => {
    tabs.stored.set(former.text, "never saved");
    tabs.isFull = true;
    take();
    expect([text(), hasFormer()]).toEqual(["never saved", [true, false]]);
    write("never saved, and more");
    tabs.isFull = false;
    take();
    expect([text(), hasFormer()]).toEqual(["never saved, and more", [false, false]]);
  });

  test("is added to what is stored, where a tab that still runs it has gone on writing", () => {
    write("here");
    tabs.stored.set(former.text, "in the old tab");
    take();
    expect([text(), hasFormer()]).toEqual(["here\nin the old tab", [false, false]]);
  });
});
