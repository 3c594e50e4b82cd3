import { afterAll, beforeAll, expect, test } from "bun:test";
import type { Responses } from "../../src/routing/route.ts";
import { type Client, expectProblem, type Json } from "../support/client.ts";
import { ROUTES } from "../support/routes.ts";
import { World } from "../support/world.ts";

/** Every list of the API: what returns `items` and `next`. Pages of a search are in test/search. */
const LISTS = ROUTES.flatMap(({ method, path, responses }) => {
  const answer = (responses as Responses)[200];
  const isList = answer && !("media" in answer) && "next" in (answer.properties ?? {});
  return method === "GET" && isList && !path.startsWith("/api/search") ? [path] : [];
});

let world: World;
let ada: Client;
let ids: Record<string, string>;
beforeAll(async () => {
  world = await World.start({ EGRESS_ALLOW: "127.0.0.1" });
  ada = await world.person("ada", { isSiteAdmin: true });
  const others = await Promise.all(["bob", "cy", "dee"].map((name) => world.person(name)));
  const roomId = await world.room("listed", ada, others);
  await world.room("open-one", ada, [], "open");
  await world.room("open-two", ada, [], "open");
  await Promise.all([
    world.signIn(ada.user),
    world.signIn(ada.user),
    ada.socket(),
    others[0]?.socket(),
  ]);
  for (const other of others) {
    await ada.post("/api/direct", { user_ids: [other.user.id] });
    const { id } = await other.say(roomId, "@ada, look");
    await ada.say(roomId, "I do", { thread_id: id });
    await ada.put(`/api/messages/${id}/pin`, {});
    await ada.put(`/api/saved/${id}`, {});
    const tomorrow = new Date(Date.now() + 86_400_000).toISOString();
    const planned = { room_id: roomId, content: "Later", send_at: tomorrow, zone: "Europe/Lisbon" };
    await ada.post("/api/scheduled", planned);
  }
  const bots = ["one", "two", "three"].map((username) => ada.post("/api/admin/bots", { username }));
  const [bot] = await Promise.all(bots);
  const colors = Object.fromEntries(
    "background surface sidebar border text text_muted accent accent_strong accent_soft highlight danger on_accent"
      .split(" ")
      .map((name) => [name, "#123456"]),
  );
  let hookId = "";
  for (const name of ["first", "second", "third"]) {
    await ada.post("/api/custom-themes", { name, colors, is_dark: true });
    await ada.post(`/api/rooms/${roomId}/incoming-webhooks`, { name });
    const hook = { name, url: "http://127.0.0.1:9/", events: ["message.created"] };
    hookId = (await ada.post(`/api/rooms/${roomId}/outgoing-webhooks`, hook)).body.id;
    await ada.post(`/api/admin/bots/${bot?.body.id}/tokens`, { name, scopes: ["read:messages"] });
    await world.database.sql`
      insert into scheduled_messages (id, user_id, room_id, content, send_at, zone)
      values (${Bun.randomUUIDv7()}, ${bot?.body.id}, ${roomId}, 'Later', now() + interval '1 day', 'UTC')`;
    await ada.post("/api/admin/invites", { email: `${name}@example.org` });
    await ada.post("/api/admin/invite-links");
    const idp = { slug: name, name, issuer: "https://idp.example.org", client_id: "snug" };
    await ada.post("/api/admin/identity-providers", idp);
    await world.database.sql`insert into identities (id, issuer, subject, user_id)
      values (${Bun.randomUUIDv7()}, 'https://idp.example.org', ${name}, ${ada.user.id})`;
    await world.database
      .sql`insert into passkeys (id, user_id, credential_id, public_key, sign_count,
        transports, aaguid, rp_id, name, is_synced)
      values (${Bun.randomUUIDv7()}, ${ada.user.id}, ${name}, 'x', 0, '{}', '', 'x', ${name}, false)`;
  }
  for (let n = 0; n < 3; n += 1) {
    await ada.post(`/api/rooms/${roomId}/outgoing-webhooks/${hookId}/test`);
  }
  ids = { rooms: roomId, bots: bot?.body.id ?? "", hook: hookId };
});
afterAll(() => world.stop());

function pathOf(pattern: string): string {
  const kind = pattern.startsWith("/api/admin/bots") ? "bots" : "rooms";
  return pattern.replace(":id", ids[kind] ?? "").replace(":hook_id", ids.hook ?? "");
}

const idOf = (item: Json): string => item.id ?? item.user?.id ?? JSON.stringify(item);

test("there are lists to walk", () => expect(LISTS.length).toBeGreaterThan(15));

test.each(LISTS)("%s is read in pages, and refuses what is no page", async (pattern) => {
  const path = pathOf(pattern);
  const all = (await ada.get(`${path}?limit=200`)).body;
  expect(all.next).toBeNull();
  const walked: string[] = [];
  let cursor: string | null = "";
  while (cursor !== null) {
    const { status, body } = await ada.get(`${path}?limit=1${cursor && `&cursor=${cursor}`}`);
    expect([status, body.items.length <= 1]).toEqual([200, true]);
    walked.push(...body.items.map(idOf));
    cursor = body.next;
  }
  expect(walked).toEqual(all.items.map(idOf));
  // There are no failed jobs here.
  if (pattern !== "/api/admin/jobs") expect(walked.length).toBeGreaterThan(1);
  for (const bad of [
    "limit=0",
    "limit=201",
    "limit=x",
    "limit=1.5",
    "limit=1&limit=2",
    "limit=1e2",
    "cursor=x",
    "cursor=%F0%9F%98%80",
    `cursor=${"A".repeat(501)}`,
  ]) {
    const answer = await ada.get(`${path}?${bad}`);
    expectProblem(answer, 422, "validation");
    expect(answer.body.detail).toEndWith(".");
  }
});
