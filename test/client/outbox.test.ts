import { beforeEach, describe, expect, test } from "bun:test";
import {
  MAX_OUTBOX_ENTRIES,
  Outbox,
  type OutboxEntry,
} from "../../public/app/connection/outbox.ts";
import type { Code } from "../../src/wire/codes.ts";
import type { Frame } from "../../src/wire/frames.ts";
import { realClock } from "../../public/app/connection/clock.ts";
import { type Locks, Ownership } from "../../public/app/connection/ownership.ts";
import { Tabs } from "../support/tabs.ts";

type Post = Extract<Frame, { type: "message" }>;
type Timer = { ms: number; run(): void };

let browser: Tabs;
let timers: Set<Timer>;
let now: number;
let ids: number;

beforeEach(() => {
  browser = new Tabs();
  timers = new Set();
  now = 1_000;
  ids = 0;
});

/** A tab's outbox, with what it has sent. It owns the outbox once `settle` has passed. */
function open(locks: boolean | Locks = true) {
  const sent: Post[] = [];
  const line = { isOpen: true };
  const tab = browser.open();
  const outbox = new Outbox({
    ...tab,
    locks: locks === true ? tab.locks : locks || null,
    key: "snug.outbox.ada",
    clock: {
      now: () => now,
      after(ms, run) {
        const timer = { ms, run };
        timers.add(timer);
        return () => void timers.delete(timer);
      },
    },
    random: () => 0.5,
    send(frame) {
      if (line.isOpen) sent.push(frame as Post);
      return line.isOpen;
    },
    newId: () => `id-${ids++}`,
    onChange: () => {},
  });
  return { outbox, sent, line };
}

/** Lets locks and storage events pass between the tabs. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 20; turn++) await Promise.resolve();
}

/** Ends the waits of at most so many milliseconds. */
function pass(ms: number): void {
  for (const timer of [...timers]) {
    if (timer.ms > ms) continue;
    timers.delete(timer);
    timer.run();
  }
}

const texts = (sent: Post[]) => sent.map((frame) => frame.content);
const waiting = (outbox: Outbox) => outbox.entries.all.map((entry: OutboxEntry) => entry.content);
const error = (client_id: string, code: Code) =>
  ({ type: "error", code, detail: `${code}!`, client_id }) as const;

describe("an outbox", () => {
  test("sends a room's messages one after the other, each when the one before is stored", async () => {
    const { outbox, sent } = open();
    await settle();
    outbox.add("room", "one");
    outbox.add("room", "two");
    outbox.add("other", "three");
    expect(texts(sent)).toEqual(["one", "three"]);
    outbox.entries.delete("id-0");
    expect(texts(sent)).toEqual(["one", "three", "two"]);
    outbox.entries.delete("id-1");
    outbox.entries.delete("id-2");
    expect([outbox.entries.all, timers.size]).toEqual([[], 0]);
    expect([...browser.stored]).toEqual([]);
  });

  test("keeps what is written offline, over a reload, and sends it in order", async () => {
    const before = open();
    before.line.isOpen = false;
    for (const text of ["one", "two", "three"]) before.outbox.add("room", text);
    before.outbox.close();
    const { outbox, sent } = open();
    await settle();
    outbox.resume();
    for (const id of ["id-0", "id-1", "id-2"]) outbox.entries.delete(id);
    expect([...new Set(texts(sent))]).toEqual(["one", "two", "three"]);
  });

  test("sends in the order of writing, whatever the clock says", async () => {
    const { outbox, sent } = open();
    await settle();
    outbox.add("room", "one");
    now -= 500;
    outbox.add("room", "two");
    outbox.resume();
    expect([waiting(outbox), texts(sent)]).toEqual([
      ["one", "two"],
      ["one", "one"],
    ]);
  });

  test("sends to at most ten rooms at the same time", async () => {
    const { outbox, sent } = open();
    await settle();
    for (let n = 0; n < 12; n++) outbox.add(`room ${n}`, `${n}`);
    expect(sent).toHaveLength(10);
    outbox.entries.delete("id-4");
    expect(texts(sent).slice(10)).toEqual(["10"]);
  });

  test("repeats what was not acknowledged, with the same client_id", async () => {
    const { outbox, sent } = open();
    await settle();
    outbox.add("room", "one");
    outbox.resume();
    pass(20_000);
    pass(1_000);
    expect(sent).toHaveLength(3);
    expect(new Set(sent.map((frame) => frame.client_id))).toEqual(new Set(["id-0"]));
  });

  test("waits longer after each failure, and holds up no other room", async () => {
    const { outbox, sent } = open();
    await settle();
    outbox.add("poisoned", "one");
    outbox.add("poisoned", "two");
    const waits: number[] = [];
    for (let attempt = 1; attempt <= 8; attempt++) {
      expect(outbox.fail(error("id-0", "internal"))).toBe(true);
      waits.push(...[...timers].map(({ ms }) => ms));
      outbox.add("room", `other ${attempt}`);
      outbox.entries.delete(`id-${attempt + 1}`);
      pass(60_000);
    }
    expect(waits).toEqual([1, 2, 4, 8, 16, 32, 60, 60].map((s) => s * 1_000));
    expect(sent.filter((frame) => frame.content?.startsWith("other"))).toHaveLength(8);
    expect(texts(sent)).not.toContain("two");
    expect(outbox.entries.all[0]).toMatchObject({ attempts: 8, problem: { code: "internal" } });
    outbox.entries.delete("id-0");
    expect(texts(sent).at(-1)).toBe("two");
  });

  test("keeps what is refused, with the reason, and lets the next one pass", async () => {
    const { outbox, sent } = open();
    await settle();
    outbox.add("room", "one");
    outbox.add("room", "two");
    outbox.fail(error("id-0", "room_archived"));
    const problem = { code: "room_archived", detail: "room_archived!" };
    expect(outbox.entries.all[0]).toMatchObject({ is_refused: true, problem });
    expect(texts(sent)).toEqual(["one", "two"]);
    outbox.entries.delete("id-1");
    outbox.retry("id-0");
    expect(texts(sent)).toEqual(["one", "two", "one"]);
    outbox.entries.delete("id-0");
    expect(outbox.entries.all).toEqual([]);
  });

  test("takes a bounded number of messages and a bounded length of text", () => {
    const { outbox, line } = open();
    line.isOpen = false;
    expect(outbox.entries.hasSpace(1, 2_000_000)).toBe(false);
    for (let i = 0; i < MAX_OUTBOX_ENTRIES; i++) outbox.add("room", `${i}`);
    expect([outbox.entries.hasSpace(0, 1), outbox.entries.hasSpace(1, 1)]).toEqual([true, false]);
  });

  test("says of an error about something else that it is not its own", () => {
    expect(open().outbox.fail(error("other", "not_found"))).toBe(false);
  });

  test("takes a refusal that names no frame for the only message in flight", async () => {
    const { outbox, sent } = open();
    await settle();
    const refusal = { type: "error", code: "validation", detail: "no" } as const;
    expect(outbox.fail(refusal)).toBe(false);
    outbox.add("room", "one");
    outbox.add("room", "two");
    outbox.add("other", "three");
    // Which of the two it is about, nobody knows.
    expect(outbox.fail(refusal)).toBe(false);
    outbox.entries.delete("id-2");
    for (const more of [{ code: "internal" }, { room_id: "room" }, { ref: "a" }] as const) {
      expect(outbox.fail({ ...refusal, ...more })).toBe(false);
    }
    expect(outbox.fail(refusal)).toBe(true);
    expect(outbox.entries.all[0]).toMatchObject({
      is_refused: true,
      problem: { code: "validation" },
    });
    expect(texts(sent)).toEqual(["one", "three", "two"]);
  });

  test("reads the list that version 0.1.0 kept, and starts empty from what it cannot read", () => {
    const entry = { room_id: "room", image: null, file: null, written_at: "", refused: null };
    const list = ["one", "two"].map((content, i) => ({ ...entry, content, client_id: `z-${i}` }));
    browser.stored.set("snug.outbox.ada", JSON.stringify(list));
    browser.stored.set("snug.outbox.ada.broken", "{nonsense");
    expect(waiting(open().outbox)).toEqual(["one", "two"]);
    expect(waiting(open().outbox)).toEqual(["one", "two"]);
    browser.stored.clear();
    browser.stored.set("snug.outbox.ada", "{nonsense");
    expect(open().outbox.entries.all).toEqual([]);
  });
});

describe("the outboxes of two tabs", () => {
  test("hold the same messages, and nothing overwrites another's", async () => {
    const [a, b] = [open(), open()];
    for (const { line } of [a, b]) line.isOpen = false;
    a.outbox.add("room", "from a");
    b.outbox.add("room", "from b");
    a.outbox.add("room", "from a again");
    await settle();
    const all = ["from a", "from b", "from a again"];
    expect(waiting(a.outbox).toSorted()).toEqual(all.toSorted());
    expect(waiting(b.outbox)).toEqual(waiting(a.outbox));
    b.outbox.entries.delete(b.outbox.entries.all[0]?.client_id ?? "");
    await settle();
    expect(waiting(a.outbox)).toEqual(waiting(b.outbox));
    expect(a.outbox.entries.all).toHaveLength(2);
  });

  test("send each message from one of them: the one in which it was written", async () => {
    const [a, b] = [open(), open()];
    await settle();
    a.outbox.add("room", "one");
    a.outbox.entries.delete("id-0");
    b.outbox.add("room", "two");
    await settle();
    b.outbox.entries.delete("id-1");
    await settle();
    a.outbox.resume();
    expect([texts(a.sent), texts(b.sent)]).toEqual([["one"], ["two"]]);
    expect([a.outbox.entries.all, b.outbox.entries.all]).toEqual([[], []]);
  });

  test("succeed each other: what a closed tab had in flight goes out from the next", async () => {
    const [a, b] = [open(), open()];
    await settle();
    a.outbox.add("room", "one");
    a.outbox.add("room", "two");
    await settle();
    expect(texts(b.sent)).toEqual([]);
    a.outbox.close();
    await settle();
    expect(texts(b.sent)).toEqual(["one"]);
    b.outbox.entries.delete("id-0");
    expect(texts(b.sent)).toEqual(["one", "two"]);
    expect(texts(a.sent)).toEqual(["one"]);
  });

  test("let the tab that is looked at send what waits in one that sleeps", async () => {
    const [a, b] = [open(), open()];
    await settle();
    a.line.isOpen = false;
    a.outbox.add("room", "one");
    await settle();
    b.outbox.claim();
    await settle();
    expect(texts(b.sent)).toEqual(["one"]);
    // The one that lost it does not send, whatever happens to its connection.
    a.line.isOpen = true;
    a.outbox.resume();
    expect(texts(a.sent)).toEqual([]);
    // It waits to be the next.
    b.outbox.close();
    await settle();
    expect(texts(a.sent)).toEqual(["one"]);
  });

  test("leave what is in flight to the tab that has taken over", async () => {
    const [a, b] = [open(), open()];
    await settle();
    a.outbox.add("room", "one");
    await settle();
    b.outbox.claim();
    await settle();
    expect([texts(a.sent), texts(b.sent), timers.size]).toEqual([["one"], ["one"], 1]);
  });

  test("send what was refused from the tab in which it is retried", async () => {
    const [a, b] = [open(), open()];
    await settle();
    a.outbox.add("room", "one");
    a.outbox.fail(error("id-0", "room_archived"));
    await settle();
    b.outbox.retry("id-0");
    await settle();
    expect([texts(a.sent), texts(b.sent)]).toEqual([["one"], ["one"]]);
  });

  test("read what was stored while a tab slept, and drop what was cleared", async () => {
    const [a, b] = [open(), open()];
    await settle();
    b.line.isOpen = false;
    b.outbox.add("room", "one");
    const before = new Map(browser.stored);
    await settle();
    browser.clear();
    expect([waiting(a.outbox), waiting(b.outbox)]).toEqual([[], []]);
    for (const [key, value] of before) browser.stored.set(key, value);
    a.outbox.claim();
    await settle();
    expect([waiting(a.outbox), texts(a.sent)]).toEqual([["one"], ["one"]]);
  });

  test("send what was written in each without locks, and what another left when they connect", async () => {
    const [a, b] = [open(false), open(false)];
    a.outbox.add("room", "one");
    await settle();
    expect([texts(a.sent), texts(b.sent)]).toEqual([["one"], []]);
    a.outbox.close();
    b.outbox.resume();
    expect(texts(b.sent)).toEqual(["one"]);
    b.outbox.entries.delete("id-0");
    expect(b.outbox.entries.all).toEqual([]);
  });

  test("send what was written in each where the browser refuses locks", async () => {
    const request = () => Promise.reject(new DOMException("No.", "SecurityError"));
    const a = open({ request });
    await settle();
    a.outbox.add("room", "one");
    expect(texts(a.sent)).toEqual(["one"]);
  });

  test("keep what the storage has no space for in the tab that has it", async () => {
    const a = open();
    await settle();
    browser.stored.set = () => {
      throw new DOMException("The quota has been exceeded.", "QuotaExceededError");
    };
    a.outbox.add("room", "one");
    a.outbox.claim();
    expect([waiting(a.outbox), texts(a.sent)]).toEqual([["one"], ["one"]]);
  });
});

test("a tab that claims ownership while it waits for it becomes the owner once", async () => {
  const changes: string[] = [];
  const [a, b] = ["a", "b"].map((name) => {
    const note = (what: string) => () => void changes.push(`${name} ${what}`);
    const handlers = { onGain: note("gains"), onLoss: note("loses") };
    const ownership = new Ownership(browser.open().locks, "lock", handlers, realClock);
    ownership.wait();
    return ownership;
  });
  await settle();
  b?.claim();
  await settle();
  expect(changes.toSorted()).toEqual(["a gains", "a loses", "b gains"]);
  expect([a?.isOwner, b?.isOwner]).toEqual([false, true]);
});

test("a reply with a quote goes out as one, and without the quote once that is gone", async () => {
  const { outbox, sent } = open();
  await settle();
  const thread_id = crypto.randomUUID();
  outbox.add("room", "an answer", { thread_id, quote: { id: "quoted", is_gone: true } });
  expect(sent).toMatchObject([{ content: "an answer", thread_id, quote_id: "quoted" }]);
  outbox.fail(error("id-0", "unknown_quote"));
  outbox.retry("id-0");
  expect(sent[1]).toMatchObject({ content: "an answer", thread_id, client_id: "id-0" });
  expect(sent[1]).not.toHaveProperty("quote_id");
  outbox.entries.delete("id-0");
  expect(outbox.entries.all).toEqual([]);
});
