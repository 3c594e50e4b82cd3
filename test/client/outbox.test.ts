import { beforeEach, describe, expect, test } from "bun:test";
import { Outbox, type OutboxEntry } from "../../public/app/connection/outbox.ts";
import type { Frame } from "../../src/wire/frames.ts";
import type { Message } from "../../src/wire/models.ts";

let stored: Map<string, string>;
let sent: Frame[];
let online: boolean;
let timers: (() => void)[];
let ids: number;

beforeEach(() => {
  stored = new Map();
  sent = [];
  online = true;
  timers = [];
  ids = 0;
});

function open(): Outbox {
  return new Outbox({
    storage: {
      getItem: (key) => stored.get(key) ?? null,
      setItem: (key, value) => void stored.set(key, value),
      removeItem: (key) => void stored.delete(key),
    },
    key: "outbox",
    clock: {
      now: () => 0,
      after(_, run) {
        timers.push(run);
        return () => {};
      },
    },
    send: (frame) => online && sent.push(frame) > 0,
    newId: () => `id-${ids++}`,
    onChange: () => {},
    onSent: () => {},
  });
}

const stored_ = {} as Message;
const texts = () => sent.map((frame) => (frame.type === "message" ? frame.content : ""));
const waiting = (outbox: Outbox) => outbox.entries.map((entry: OutboxEntry) => entry.content);

describe("an outbox", () => {
  test("sends one after the other, each when the one before is stored", () => {
    const outbox = open();
    outbox.add("room", "one");
    outbox.add("room", "two");
    expect(texts()).toEqual(["one"]);
    outbox.acknowledge("id-0", stored_);
    expect(texts()).toEqual(["one", "two"]);
    outbox.acknowledge("id-1", stored_);
    expect(outbox.entries).toEqual([]);
  });

  test("keeps what is written offline and sends it in order when the connection is back", () => {
    online = false;
    const outbox = open();
    outbox.add("room", "one");
    outbox.add("room", "two");
    expect(sent).toEqual([]);
    online = true;
    outbox.resume();
    outbox.acknowledge("id-0", stored_);
    expect(texts()).toEqual(["one", "two"]);
  });

  test("repeats what was not acknowledged, with the same client_id", () => {
    const outbox = open();
    outbox.add("room", "one");
    outbox.resume();
    expect(sent).toHaveLength(2);
    expect(sent[0]).toEqual(sent[1] as Frame);
  });

  test("survives a reload", () => {
    online = false;
    open().add("room", "one");
    const again = open();
    expect(waiting(again)).toEqual(["one"]);
    online = true;
    again.resume();
    expect(sent[0]).toMatchObject({ content: "one", client_id: "id-0" });
  });

  test("tries again by itself after 'not now'", () => {
    const outbox = open();
    outbox.add("room", "one");
    const error = {
      type: "error",
      code: "rate_limited",
      detail: "slow down",
      client_id: "id-0",
    } as const;
    expect(outbox.fail(error)).toBe(true);
    expect(sent).toHaveLength(1);
    for (const run of timers) run();
    expect(sent).toHaveLength(2);
  });

  test("keeps what is refused, with the reason, and lets the next one pass", () => {
    const outbox = open();
    outbox.add("gone", "one");
    outbox.add("room", "two");
    const error = {
      type: "error",
      code: "room_not_found",
      detail: "no room",
      client_id: "id-0",
    } as const;
    outbox.fail(error);
    expect(outbox.entries[0]?.refused).toEqual({ code: "room_not_found", detail: "no room" });
    expect(texts()).toEqual(["one", "two"]);
    outbox.acknowledge("id-1", stored_);
    outbox.retry("id-0");
    expect(texts()).toEqual(["one", "two", "one"]);
    outbox.discard("id-0");
    expect(outbox.entries).toEqual([]);
  });

  test("says of an error about something else that it is not its own", () => {
    const error = { type: "error", code: "not_found", detail: "", client_id: "other" } as const;
    expect(open().fail(error)).toBe(false);
  });

  test("starts empty from what it cannot read", () => {
    stored.set("outbox", "{nonsense");
    expect(open().entries).toEqual([]);
  });
});
