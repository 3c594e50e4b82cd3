import { describe, expect, test } from "bun:test";
import {
  countLeftBehind,
  deleteLeftBehind,
  forgetPeople,
} from "../../public/app/state/store/left-behind.ts";
import { Tabs } from "../support/tabs.ts";

const [ada, bob, room] = [crypto.randomUUID(), crypto.randomUUID(), crypto.randomUUID()];
const everyone = () => true;

const entry = (quote: object | null) =>
  JSON.stringify({ client_id: "one", room_id: room, content: "not sent", quote });
const draft = (here: string, saved: string) =>
  JSON.stringify({
    here: { content: here, quote_id: "quoted" },
    base: { content: saved, version: 3 },
    other: { content: "words of another device" },
    room: { name: "merger" },
    at: "2026-01-01T00:00:00Z",
    edit: 7,
  });
/** What earlier versions stored beside the text of a draft. */
const facts = (content: string) =>
  JSON.stringify({ base: { content, version: 3 }, room: { name: "merger" }, parts: {} });

function fill(more: Record<string, string> = {}) {
  const tabs = new Tabs();
  const all = {
    "snug.clock": "h12",
    "snug.language": "de",
    "snug.sidebar": "300",
    "snug.team": "{}",
    "snug.room": "merger",
    "snug.recent-rooms": `["${room}"]`,
    "snug.kept": room,
    "snug.emoji": '["🚀"]',
    [`snug.searches.${ada}`]: '["merger price"]',
    [`snug.quote.${ada}.${room}`]: '{"excerpt":"words of another"}',
    [`snug.pin.${ada}.${room}`]: "{}",
    ...more,
  };
  for (const [key, value] of Object.entries(all)) tabs.stored.set(key, value);
  return { storage: tabs.open().storage, stored: tabs.stored };
}

const SETTINGS = ["snug.clock", "snug.language", "snug.sidebar", "snug.team"];

describe("what a browser has of a person who leaves", () => {
  test("is removed, but for the settings of the device", () => {
    const { storage, stored } = fill();
    forgetPeople(storage, everyone);
    expect([...stored.keys()]).toEqual(SETTINGS);
  });

  test("is removed, too, where a later version has stored it", () => {
    const { storage, stored } = fill({ "snug.new": "x", [`snug.newer.${ada}`]: "x", other: "y" });
    forgetPeople(storage, everyone);
    expect([...stored.keys()]).toEqual([...SETTINGS, "other"]);
  });

  test("includes drafts that the service has, with what is known of them", () => {
    const { storage, stored } = fill({
      [`snug.draft.${ada}.${room}`]: "saved",
      [`snug.draft-copy.${ada}.${room}`]: facts("saved"),
    });
    expect(countLeftBehind(storage)).toEqual({ messages: 0, drafts: 0 });
    forgetPeople(storage, everyone);
    expect([...stored.keys()]).toEqual(SETTINGS);
  });

  test("leaves the text of drafts that the service does not have", () => {
    const kept = {
      [`snug.draft.${ada}.${room}`]: "changed here",
      [`snug.draft.${ada}.to/${bob}`]: "in no room yet",
    };
    const { storage, stored } = fill({
      ...kept,
      [`snug.draft-copy.${ada}.${room}`]: facts("saved"),
    });
    forgetPeople(storage, everyone);
    expect(Object.fromEntries(stored)).toMatchObject(kept);
    expect(stored.size).toBe(SETTINGS.length + 2);
    expect(countLeftBehind(storage, ada)).toEqual({ messages: 0, drafts: 2 });
    // Once more, as the next page does.
    forgetPeople(storage, everyone);
    expect(stored.size).toBe(SETTINGS.length + 2);
  });

  test("leaves nothing of a draft but a text that the service does not have", () => {
    const [saved, changed, cleared] = [ada, bob, room].map((id) => `snug.drafts.${ada}.${id}`);
    const { storage, stored } = fill({
      [saved as string]: draft("saved", "saved"),
      [changed as string]: draft("changed here", "saved"),
      [cleared as string]: draft("", "saved"),
    });
    expect(countLeftBehind(storage, ada)).toEqual({ messages: 0, drafts: 1 });
    forgetPeople(storage, everyone);
    expect([...stored.keys()]).toEqual([...SETTINGS, changed as string]);
    expect(JSON.parse(stored.get(changed as string) ?? "")).toEqual({
      here: { content: "changed here" },
      at: "2026-01-01T00:00:00Z",
      edit: 7,
    });
    forgetPeople(storage, everyone);
    expect(countLeftBehind(storage, ada)).toEqual({ messages: 0, drafts: 1 });
    deleteLeftBehind(storage, ada);
    expect([...stored.keys()]).toEqual(SETTINGS);
  });

  test("leaves messages that were not sent, without what others wrote", () => {
    const key = `snug.outbox.${ada}.one`;
    const quote = { id: "quoted", is_gone: false, excerpt: "words of another" };
    const { storage, stored } = fill({ [key]: entry(quote), [`snug.outbox.${ada}`]: "[]" });
    forgetPeople(storage, everyone);
    expect(stored.get(key)).toBe(entry({ id: "quoted", is_gone: true }));
    expect(countLeftBehind(storage)).toEqual({ messages: 2, drafts: 0 });
    expect(countLeftBehind(storage, bob)).toEqual({ messages: 0, drafts: 0 });
  });

  test("is what one person has, while another's stays", () => {
    const own = { [`snug.searches.${bob}`]: "[]", [`snug.draft.${bob}.${room}`]: "mine" };
    const { storage, stored } = fill(own);
    forgetPeople(storage, (id) => id !== bob);
    expect([...stored.keys()]).toEqual([...SETTINGS, ...Object.keys(own)]);
  });

  test("can be deleted, all of it or one person's", () => {
    const { storage, stored } = fill({
      [`snug.outbox.${ada}.one`]: entry(null),
      [`snug.outbox.${bob}.one`]: entry(null),
      [`snug.draft.${bob}.${room}`]: "mine",
    });
    deleteLeftBehind(storage, ada);
    expect(countLeftBehind(storage)).toEqual({ messages: 1, drafts: 1 });
    deleteLeftBehind(storage);
    expect(countLeftBehind(storage)).toEqual({ messages: 0, drafts: 0 });
    expect(stored.has("snug.room")).toBe(true);
  });
});
