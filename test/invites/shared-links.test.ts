import { afterAll, beforeAll, expect, test } from "bun:test";
import { type Client, expectProblem } from "../support/client.ts";
import { World } from "../support/world.ts";

let world: World;
let admin: Client;
beforeAll(async () => {
  world = await World.start();
  admin = await world.person("admin", { isSiteAdmin: true });
  const room = await world.room("everyone", admin);
  await admin.patch(`/api/admin/rooms/${room}`, { is_default: true });
});
afterAll(() => world.stop());

const PATH = "/api/admin/invite-links";
const tokenOf = ({ link }: { link: string }) => link.split("#token=")[1] as string;
const signUp = (token: string, username: string) =>
  world.anonymous.post("/api/signup", {
    token,
    username,
    password: "correct horse battery",
    email: `${username}@example.org`,
  });

test("a link lets several sign up, counts them, and ends with its number", async () => {
  const { body: made } = await admin.post(PATH, { days: 1, max_uses: 2 });
  expect(made).toMatchObject({ uses: 0, max_uses: 2, is_active: true });
  const token = tokenOf(made);
  const checked = await world.anonymous.post("/api/signup/check", { token });
  expect(checked.body).toEqual({ email: null, kind: "shared" });
  expectProblem(
    await world.anonymous.post("/api/signup", {
      token,
      username: "nobody",
      password: "correct horse battery",
    }),
    422,
    "validation",
  );
  // A refused signup does not count; of three at once, two succeed.
  expectProblem(await signUp(token, "admin"), 409, "username_taken");
  const all = await Promise.all(["one", "two", "three"].map((name) => signUp(token, name)));
  expect(all.map(({ status }) => status).sort()).toEqual([201, 201, 404]);
  expect(all.find(({ status }) => status === 201)?.body.is_site_admin).toBe(false);
  const [listed] = (await admin.get(PATH)).body.items;
  expect(listed).toMatchObject({ id: made.id, uses: 2, is_active: false, link: null });
  expectProblem(await signUp(token, "four"), 404, "link_not_found");
  const rooms = await world.database.sql`select count(*)::int as count from memberships`;
  expect(rooms[0]).toEqual({ count: 3 });
});

test("a link is shown again while it is open, and is dead once revoked or expired", async () => {
  const { body: made } = await admin.post(PATH);
  expect(made.max_uses).toBe(50);
  const [listed] = (await admin.get(PATH)).body.items;
  expect(listed.link).toBe(made.link);
  expect((await admin.delete(`${PATH}/${made.id}`)).status).toBe(204);
  expectProblem(await admin.delete(`${PATH}/${made.id}`), 409, "invite_closed");
  expectProblem(await signUp(tokenOf(made), "five"), 404, "link_not_found");
  const { body: old } = await admin.post(PATH);
  await world.database
    .sql`update invite_links set expires_at = clock_timestamp() - interval '1 second' where id = ${old.id}`;
  expectProblem(await signUp(tokenOf(old), "six"), 410, "link_expired");
});

test("at most twenty links are open", async () => {
  for (let count = 0; count < 20; count++) expect((await admin.post(PATH)).status).toBe(201);
  expectProblem(await admin.post(PATH), 409, "too_many_invite_links");
});
