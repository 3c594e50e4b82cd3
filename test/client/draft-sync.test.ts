import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { ApiError } from "../../public/app/connection/api.ts";
import type { DraftParts } from "../../public/app/state/drafts/draft-copy.ts";
import { DraftSync } from "../../public/app/state/drafts/draft-sync.ts";
import { keepDraft, readDraft } from "../../public/app/state/drafts/drafts.ts";
import { ScriptedApi, ScriptedClock } from "../support/scripted.ts";
import { Tabs } from "../support/tabs.ts";

const room = Bun.randomUUIDv7();
const image = { id: "picture", url: "/x", width: 1, height: 1 } as unknown as DraftParts["image"];

let script: ScriptedApi;
let clock: ScriptedClock;
let tabs: Tabs;
let drafts: DraftSync;
let posting: Set<string>;
let shown: DraftParts[];
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
  return new DraftSync({
    api: script.api,
    clock,
    storage: tabs.open().storage,
    userId: "ada",
    device: "computer",
    newId: () => `id-${++ids}`,
    isWriting: () => false,
    isPosting: (id) => posting.has(id),
    onText: () => {},
    onParts: (_, { quote_id, image, file }) => shown.push({ quote_id, image, file }),
    hasRoom: () => true,
    onDeleted: () => {},
  });
}

const text = () => readDraft(tabs.open().storage, "ada", room);
function write(content: string): void {
  keepDraft(tabs.open().storage, "ada", room, content);
  drafts.written(room);
}
const puts = () => script.calls.filter(({ body }) => body !== undefined);
const lastPut = () => puts().at(-1) as NonNullable<ReturnType<typeof puts>[0]>;
/** What the service says of the draft. */
function hear(version: number, content: string | null, more = {}): void {
  drafts.hear({
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
    drafts.flush();
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
  drafts.flush();
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
    drafts.attached(room, { quote_id: "quoted", image, file: null });
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
    expect(drafts.entries.value[0]?.body.image?.id).toBe("picture");
  });

  test("is offered with another device's draft, and added beside what is here", async () => {
    write("mine");
    hear(1, "theirs", { image });
    expect(text()).toBe("mine");
    drafts.choose(room, "add", 1);
    expect([text(), shown.at(-1)?.image?.id]).toEqual(["mine\ntheirs", "picture"]);
  });

  test("that was sent from another device is left out, and the text saved without it", async () => {
    drafts.attached(room, { quote_id: null, image, file: null });
    write("look");
    await clock.pass(2_000);
    await lastPut().fail(new ApiError("unknown_upload", "", 422));
    expect(shown.at(-1)?.image).toBeNull();
    await clock.pass(2_000);
    expect(lastPut().body).toMatchObject({ content: "look", image_id: null });
  });
});
