import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { parse } from "csv-parse/sync";
import { type Client, expectProblem } from "../support/client.ts";
import { World } from "../support/world.ts";

const PATH = "/api/admin/audit-log";

let world: World;
let admin: Client;
let second: Client;
beforeAll(async () => {
  world = await World.start();
  admin = await world.person("ada", { isSiteAdmin: true });
  second = await world.person("second", { isSiteAdmin: true });
  const eve = await world.person("eve");
  await admin.post(`/api/admin/users/${eve.user.id}/promote`);
  await second.post(`/api/admin/users/${eve.user.id}/demote`);
  await admin.put("/api/admin/settings/uploads", { max_bytes: 4096 });
  await admin.post("/api/admin/bots", { username: "machine", display_name: '=cmd|"/c calc"' });
});
afterAll(() => world.stop());

const actions = async (query = "") =>
  (await admin.get(`${PATH}${query}`)).body.items.map(({ action }: { action: string }) => action);
const ALL = ["bot.create", "settings.uploads", "user.demote", "user.promote"];

describe("the audit log", () => {
  test("lists who did what to whom and from where, the latest first", async () => {
    expect(await actions()).toEqual(ALL);
    const [row] = (await admin.get(`${PATH}?action=user.promote`)).body.items;
    expect(row).toMatchObject({
      actor: { username: "ada" },
      action: "user.promote",
      target_type: "user",
      target_name: "eve",
      details: {},
      ip: "127.0.0.1",
    });
  });

  test("is filtered by actor, action and time", async () => {
    expect(await actions(`?actor_id=${second.user.id}`)).toEqual(["user.demote"]);
    expect(await actions("?action=user.")).toEqual(["user.demote", "user.promote"]);
    const { items } = (await admin.get(PATH)).body;
    const at = encodeURIComponent(items[1].created_at);
    expect(await actions(`?from=${at}`)).toEqual(ALL.slice(0, 2));
    expect(await actions(`?to=${at}`)).toEqual(ALL.slice(2));
    expectProblem(await admin.get(`${PATH}?from=2026-02-31T00:00:00Z&to=never`), 422, "validation");
  });

  test("is paginated", async () => {
    const first = (await admin.get(`${PATH}?limit=3`)).body;
    const rest = (await admin.get(`${PATH}?limit=3&cursor=${first.next}`)).body;
    expect([...first.items, ...rest.items].map(({ action }) => action)).toEqual(ALL);
    expect(rest.next).toBeNull();
    const foreign = Buffer.from("x").toString("base64url");
    expectProblem(await admin.get(`${PATH}?cursor=${foreign}`), 422, "validation");
  });

  test("refuses an impossible time before the download starts", async () => {
    for (const time of ["0000-01-01T00:00:00Z", "9999-12-31T23:59:59-14:00"]) {
      for (const path of [PATH, `${PATH}.csv`]) {
        expectProblem(await admin.get(`${path}?to=${time}`), 422, "validation");
      }
    }
  });

  test("is downloaded as CSV with escaped formulas", async () => {
    const { sql } = world.database;
    // More than one batch.
    await sql`insert into admin_audit_log
      (id, actor_id, action, target_type, target_name, details, ip)
      select gen_random_uuid(), null, 'test.many', 'user', '=1+1', '{}', null
      from generate_series(1, 2500)`;
    const answer = await fetch(`${world.service.address}${PATH}.csv`, {
      headers: { cookie: admin.cookie ?? "" },
    });
    expect(answer.headers.get("content-type")).toStartWith("text/csv");
    expect(answer.headers.get("content-disposition")).toContain("audit-log.csv");
    const rows: Record<string, string>[] = parse(await answer.text(), { columns: true });
    expect(rows).toHaveLength(2504);
    expect(rows.find(({ action }) => action === "user.promote")).toMatchObject({
      actor: "ada",
      target_name: "eve",
      ip: "127.0.0.1",
    });
    expect(rows.find(({ action }) => action === "test.many")).toMatchObject({
      actor: "command line",
      target_name: "'=1+1",
    });
    const response = await fetch(`${world.service.address}${PATH}.csv?action=user.demote`, {
      headers: { cookie: admin.cookie ?? "" },
    });
    expect(parse(await response.text(), { columns: true })).toHaveLength(1);
  });
});
