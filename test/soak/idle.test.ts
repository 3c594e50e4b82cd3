import { afterAll, beforeAll, expect, test } from "bun:test";
import { connect } from "node:net";
import type { Client } from "../support/client.ts";
import { Receiver } from "../support/receiver.ts";
import { repeats } from "../support/soak.ts";
import { HEAD, RawUpload, TAIL } from "../uploads/raw.ts";
import { Place } from "../uploads/support.ts";

const MB = 1_024 ** 2;
/** More than the buffers of the system take from one who reads the first piece and stops. */
const FILE_BYTES = 24 * MB;
/** Between two signs of life; three of them are longer than the patience with a stalled connection. */
const PAUSE_MS = repeats(3_000, 13_000);
const IDLE_SECONDS = repeats(8, 32);
/** Bun looks at its connections every four seconds: it may cut one so much earlier or later. */
const CUT_BY_MS = (IDLE_SECONDS + 5) * 1_000;

let place: Place;
let receiver: Receiver;
let fileUrl: string;
beforeAll(async () => {
  receiver = new Receiver();
  place = await Place.open({ EGRESS_ALLOW: "127.0.0.1" }, { idleSeconds: IDLE_SECONDS });
  await place.setLimit(FILE_BYTES);
  fileUrl = (await place.member.upload(place.files, new Uint8Array(FILE_BYTES), "big")).body.url;
});
afterAll(async () => {
  expect(await place.incoming()).toEqual([]);
  await place.close();
  await receiver.stop();
});

/**
 * Reads an answer, with pauses: the first after the first piece, since the faster one reads, the more the
 * system takes ahead.
 * @param pauses before so many equal parts of the file, in milliseconds
 * @returns how many bytes came
 */
async function readSlowly({ base, cookie }: Client, path: string, pauses: number[]) {
  const { hostname, port, host } = new URL(base);
  const socket = connect(Number(port), hostname);
  const { promise: ended, resolve } = Promise.withResolvers<void>();
  const step = FILE_BYTES / pauses.length;
  let received = 0;
  let paused = 0;
  socket.on("data", (piece) => {
    received += piece.length;
    const pause = received > paused * step ? pauses[paused] : undefined;
    if (pause === undefined) return;
    paused += 1;
    socket.pause();
    void passTime(pause).then(() => socket.resume());
  });
  socket.on("error", () => {});
  socket.on("close", () => resolve());
  const head = `Host: ${host}\r\nCookie: ${cookie}\r\nConnection: close`;
  socket.write(`GET ${path} HTTP/1.1\r\n${head}\r\n\r\n`);
  await ended;
  return received;
}

/**
 * Waits in short steps. On a machine with too much to do the service, which is in this process, sees the
 * time pass as slowly as the test.
 */
async function passTime(ms: number): Promise<void> {
  for (let left = ms; left > 0; left -= 250) await Bun.sleep(Math.min(left, 250));
}

const LIMIT = 120_000;

test.concurrent(
  "a reader that stops now and then gets all of a file",
  async () => {
    const received = await readSlowly(place.member, fileUrl, [PAUSE_MS, PAUSE_MS, PAUSE_MS]);
    expect(received).toBeGreaterThan(FILE_BYTES);
  },
  LIMIT,
);

test.concurrent(
  "a reader that stops for too long is cut off",
  async () => {
    const received = await readSlowly(place.member, fileUrl, [CUT_BY_MS]);
    expect(received).toBeLessThan(FILE_BYTES);
  },
  LIMIT,
);

test.concurrent(
  "a request that takes long is answered",
  async () => {
    receiver.answer = async () => {
      await passTime(PAUSE_MS);
      return new Response("ok");
    };
    const webhooks = `/api/rooms/${place.roomId}/outgoing-webhooks`;
    const values = { name: "slow", url: receiver.at("/slow"), events: ["message.created"] };
    const created = await place.owner.post(webhooks, values);
    const tried = await place.owner.post(`${webhooks}/${created.body.id}/test`);
    expect(tried).toMatchObject({ status: 200, body: { state: "delivered" } });
  },
  LIMIT,
);

test.concurrent(
  "an upload that comes slowly is taken",
  async () => {
    const upload = new RawUpload(place.member, place.files, "chunked");
    upload.writeChunk(HEAD('filename="slow"'));
    for (let i = 0; i < 3; i++) {
      await passTime(PAUSE_MS);
      upload.writeChunk("more");
    }
    upload.writeChunk(TAIL);
    upload.write("0\r\n\r\n");
    expect(await upload.answer()).toMatchObject({ status: 201, body: { size_bytes: 12 } });
  },
  LIMIT,
);

test.concurrent(
  "an upload that has stalled ends, and leaves nothing",
  async () => {
    const upload = new RawUpload(place.member, place.files, 1_000);
    upload.write(`${HEAD('filename="half"')}half`);
    expect(await upload.answer()).toMatchObject({ status: 400, body: { code: "bad_request" } });
  },
  LIMIT,
);
