import { expect, test } from "bun:test";
import { ReadMarks } from "../../public/app/connection/read-marks.ts";
import { passTurn, ScriptedClock } from "../support/scripted.ts";

test("a read mark that is under way has arrived before the room is marked unread, one that waits is dropped", async () => {
  const clock = new ScriptedClock();
  const sent: [mark: string, arrive: () => void][] = [];
  const marks = new ReadMarks<string>(clock, (_, mark) => {
    return new Promise<void>((resolve) => sent.push([mark, resolve]));
  });
  marks.post("room", "one");
  marks.post("room", "two");
  let isFree = false;
  void Promise.resolve(marks.cancel("room")).then(() => {
    isFree = true;
  });
  await clock.pass(10_000);
  expect([sent.map(([mark]) => mark), isFree]).toEqual([["one"], false]);
  await passTurn(sent[0]?.[1]);
  expect(isFree).toBe(true);
  expect(marks.cancel("another room")).toBeUndefined();
});
