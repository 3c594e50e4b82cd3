import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { type Client, expectProblem } from "../support/client.ts";
import { World } from "../support/world.ts";
import { eventually } from "../support/wait.ts";

const TOKEN = "a-token-of-the-operator";

let world: World;
let ada: Client;
beforeAll(async () => {
  // One trusted proxy, so that a test can come from elsewhere.
  world = await World.start({ METRICS_TOKEN: TOKEN, TRUST_PROXY: "1" }, { sweepMs: 200 });
  ada = await world.person("ada");
});
afterAll(() => world.stop());

const ELSEWHERE = { "x-forwarded-for": "203.0.113.7" };
const read = (headers: Record<string, string> = {}) =>
  world.anonymous.call("GET", "/metrics", undefined, headers);

/** The value of a metric, with its labels as they are printed. */
async function metric(name: string): Promise<number> {
  const { body } = await read();
  const line = String(body)
    .split("\n")
    .find((item) => item.startsWith(`${name} `));
  return Number(line?.slice(name.length + 1) ?? Number.NaN);
}

describe("who may read the metrics", () => {
  test("anyone on this machine", async () => {
    const answer = await read();
    expect(answer.status).toBe(200);
    expect(answer.headers.get("content-type")).toStartWith("text/plain; version=0.0.4");
  });

  test("from elsewhere only the bearer of the token", async () => {
    expectProblem(await read(ELSEWHERE), 401, "unauthenticated");
    const wrong = { ...ELSEWHERE, authorization: "Bearer another" };
    expectProblem(await read(wrong), 401, "invalid_token");
    const right = { ...ELSEWHERE, authorization: `Bearer ${TOKEN}` };
    expect((await read(right)).status).toBe(200);
  });

  test("nobody whose address only looks like this machine's", async () => {
    for (const address of ["127.evil", "127.0.0.1.example.org", "::ffff:127.evil"]) {
      expectProblem(await read({ "x-forwarded-for": address }), 401, "unauthenticated");
    }
  });
});

describe("the metrics", () => {
  test("count sockets and open rooms, and lose none when they close", async () => {
    const roomId = await world.room("counted", ada);
    const socket = await ada.socket();
    await socket.join(roomId);
    await socket.join(roomId);
    expect(await metric("snug_connections")).toBe(1);
    expect(await metric("snug_rooms_joined")).toBe(1);
    expect(await metric("snug_rooms_followed")).toBe(1);
    socket.send({ type: "leave", room_id: roomId });
    await socket.next("left");
    expect(await metric("snug_rooms_joined")).toBe(0);
    await socket.join(roomId);
    socket.close();
    await socket.closing();
    await eventually(async () => (await metric("snug_connections")) === 0);
    expect(await metric("snug_rooms_joined")).toBe(0);
    expect(await metric("snug_rooms_followed")).toBe(0);
  });

  test("show that conversations are followed once someone opens them", async () => {
    const partners = await Promise.all(["b", "c", "d"].map((name) => world.person(`one-${name}`)));
    const ids: string[] = [];
    for (const { user } of partners) {
      ids.push((await ada.post("/api/direct", { user_ids: [user.id] })).body.id);
    }
    const before = await metric("snug_rooms_followed");
    const socket = await ada.socket();
    const rooms = (await ada.get("/api/rooms")).body.items.length;
    expect(await metric("snug_rooms_followed")).toBe(before + rooms);
    const [room_id = ""] = ids;
    await socket.join(room_id);
    expect(await metric("snug_rooms_followed")).toBe(before + rooms + 1);
    socket.close();
    await socket.closing();
    await eventually(async () => (await metric("snug_rooms_followed")) === before);
  });

  test("count events, batches and how long they took", async () => {
    const roomId = await world.room("measured", ada);
    const socket = await ada.socket();
    await socket.join(roomId);
    const before = await metric("snug_accept_seconds_count");
    await ada.say(roomId, "one");
    await socket.next("message");
    expect(await metric("snug_accept_seconds_count")).toBe(before + 1);
    expect(await metric('snug_events_total{type="message"}')).toBeGreaterThan(0);
    expect(await metric("snug_deliver_seconds_count")).toBeGreaterThan(0);
    expect(await metric("snug_batch_messages_count")).toBeGreaterThan(0);
    expect(await metric("snug_feed_lag_events")).toBe(0);
    expect(await metric("snug_search_lag_messages")).toBeGreaterThanOrEqual(0);
    expect(await metric('snug_database_connections{state="active"}')).toBeGreaterThan(0);
    socket.close();
  });

  test("show when the event loop was held up", async () => {
    await read();
    await Bun.sleep(30);
    const end = performance.now() + 80;
    while (performance.now() < end);
    await Bun.sleep(30);
    expect(await metric("snug_event_loop_lag_seconds")).toBeGreaterThan(0.02);
  });

  test("tell requests by route and status, and hold no room and no person", async () => {
    const roomId = await world.room("secretive", ada);
    await ada.get(`/api/rooms/${roomId}`);
    await ada.get("/api/rooms/none");
    const { body } = await read();
    const text = String(body);
    const labels = 'method="GET",route="/api/rooms/:id",status="200"';
    expect(text).toContain(`snug_http_request_seconds_count{${labels}}`);
    for (const secret of [roomId, "secretive", ada.user.id, "ada"]) {
      expect(text).not.toContain(secret);
    }
  });
});
