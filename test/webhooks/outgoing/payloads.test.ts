import { expect, test } from "bun:test";
import { serializePayload } from "../../../src/webhooks/outgoing/payloads.ts";
import {
  MAX_DELIVERY_BYTES,
  MAX_DELIVERY_REACTORS,
  MAX_REACTIONS,
} from "../../../src/wire/limits.ts";

const at = new Date();

function payloadOf(reactions: number, people: number) {
  const user_ids = Array.from({ length: people }, () => Bun.randomUUIDv7());
  const list = Array.from({ length: reactions }, (_, n) => ({
    emoji: String.fromCodePoint(0x1f600 + n),
    count: people,
    user_ids,
  }));
  const data = { room: { id: "r", name: "r" }, message_id: "m", reactions: list };
  return { type: "reaction.changed" as const, data };
}

test("a payload within the limit lists everyone who reacted", () => {
  const payload = payloadOf(1, 5_000);
  const body = serializePayload(payload, at);
  expect(JSON.parse(body)).toEqual({ ...payload, timestamp: at.toISOString() });
});

test("a larger payload lists the first people of each reaction, and counts them all", () => {
  const payload = payloadOf(MAX_REACTIONS, 10_000);
  const body = serializePayload(payload, at);
  expect(Buffer.byteLength(body)).toBeLessThan(MAX_DELIVERY_BYTES);
  const { reactions } = JSON.parse(body).data;
  expect(reactions).toHaveLength(MAX_REACTIONS);
  for (const { count, user_ids } of reactions) {
    expect([count, user_ids.length]).toEqual([10_000, MAX_DELIVERY_REACTORS]);
  }
});
