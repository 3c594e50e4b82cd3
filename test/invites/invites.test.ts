import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import type { MyRoom, Page } from "../../src/wire/models.ts";
import { type Client, expectProblem } from "../support/client.ts";
import { linkOf, MailServer } from "../support/smtp.ts";
import { PASSWORD, World } from "../support/world.ts";
import { eventually } from "../support/wait.ts";

const PATH = "/api/admin/invites";

let mails: MailServer;
let world: World;
let admin: Client;
let tests = 0;
/** The account that each test invites, and its address. */
let grace: string;
let GRACE: string;
beforeAll(async () => {
  [world, mails] = await Promise.all([World.start(), MailServer.open("plain")]);
  admin = await world.person("ada", { isSiteAdmin: true, displayName: "Ada Lovelace" });
});
afterAll(() => Promise.all([world.stop(), mails.close()]));
beforeEach(() => {
  grace = `grace-${tests++}`;
  GRACE = `${grace}@example.org`;
});

const useMail = () => admin.put("/api/admin/settings/smtp", mails.settings);
const invite = (email = GRACE, more = {}) => admin.post(PATH, { email, ...more });
const check = (token: string) => world.anonymous.post("/api/signup/check", { token });
const signUp = (token: string, username = grace) =>
  world.anonymous.post("/api/signup", { token, username, password: PASSWORD });
const tokenOf = (link: string) => link.split("#token=")[1] ?? "";
const expire = () =>
  world.database.sql`update invites set expires_at = clock_timestamp() - interval '1 minute'
    where email = ${GRACE}`;
const audited = async () =>
  (await world.database.sql`select action, target_name, details from admin_audit_log order by id`)
    .filter(({ action, target_name }) => action.startsWith("invite.") && target_name === GRACE)
    .map(({ action, target_name }) => [action, target_name]);

describe("an invite, with mail configured", () => {
  beforeAll(useMail);
  afterAll(() => admin.delete("/api/admin/settings/smtp"));

  test("mails a link to create an account for that address", async () => {
    const answer = await invite(`${grace.toUpperCase()}@Example.org`);
    expect(answer).toMatchObject({
      status: 201,
      body: { email: GRACE, status: "pending", email_queued: true, link: null, room_ids: [] },
    });
    const received = await mails.next();
    expect(received.to).toEqual([GRACE]);
    expect(received.mail.subject).toStartWith("Ada Lovelace invites you");
    const { token } = linkOf(received, "/signup");
    expect(await check(token)).toMatchObject({ status: 200, body: { email: GRACE } });
    expect(await signUp(token)).toMatchObject({ status: 201, body: { email: GRACE } });
    expectProblem(await check(token), 404, "link_not_found");
    expectProblem(await signUp(token, "again"), 404, "link_not_found");
    const [row] = (await admin.get(PATH)).body.items;
    expect(row).toMatchObject({ status: "accepted", invited_by: { username: "ada" } });
    expect(row.accepted_at).toEndWith("Z");
  });

  test("stores its token neither in the invite nor in the job", async () => {
    mails.refusals.push({ code: 451, words: "4.3.0 Later" });
    await invite();
    await mails.untilRefused(mails.refused + 1);
    const { sql } = world.database;
    // Until the job waits for its next attempt: brought forward earlier, it would wait all the same.
    const readWaiting = () => sql`select from jobs where kind = 'invite_mail'
      and run_at > clock_timestamp() + interval '1 second'`;
    await eventually(async () => (await readWaiting()).length > 0);
    const lying = await sql`select i::text, j.payload::text from invites i, jobs j
      where i.email = ${GRACE} and j.kind = 'invite_mail'`;
    await sql`update jobs set run_at = clock_timestamp() - interval '1 second'`;
    await world.database.sql`select pg_notify('snug_jobs', '')`;
    const { token } = linkOf(await mails.next(), "/signup");
    expect(lying).toHaveLength(1);
    expect(JSON.stringify(lying)).not.toContain(token);
    expect((await check(token)).status).toBe(200);
  });

  test("that is resent has a new link, and the previous one stops working", async () => {
    const { body } = await invite();
    const first = linkOf(await mails.next(), "/signup").token;
    await expire();
    expectProblem(await check(first), 410, "link_expired");
    expect((await admin.get(PATH)).body.items[0].status).toBe("expired");
    const again = await admin.post(`${PATH}/${body.id}/resend`);
    expect(again).toMatchObject({ status: 200, body: { status: "pending", email_queued: true } });
    const second = linkOf(await mails.next(), "/signup").token;
    expectProblem(await check(first), 404, "link_not_found");
    expect((await check(second)).status).toBe(200);
    expect(await audited()).toEqual([
      ["invite.create", GRACE],
      ["invite.resend", GRACE],
    ]);
  });

  test("that was revoked does not work and cannot be resent", async () => {
    const { body } = await invite();
    const { token } = linkOf(await mails.next(), "/signup");
    expect((await admin.delete(`${PATH}/${body.id}`)).status).toBe(204);
    expectProblem(await check(token), 404, "link_not_found");
    expectProblem(await signUp(token), 404, "link_not_found");
    expectProblem(await admin.post(`${PATH}/${body.id}/resend`), 409, "invite_closed");
    expectProblem(await admin.delete(`${PATH}/${body.id}`), 409, "invite_closed");
    const those = async (status: string) =>
      (await admin.get(`${PATH}?query=${GRACE}&status=${status}`)).body.items;
    expect(await those("revoked")).toHaveLength(1);
    expect(await those("pending")).toEqual([]);
    expect((await invite()).status).toBe(201);
    await mails.next();
  });
});

describe("an invite, without mail", () => {
  test("returns the link", async () => {
    const { body } = await invite();
    expect(body).toMatchObject({ email_queued: false, status: "pending" });
    expect(body.link).toMatch(/^http:\/\/localhost:\d+\/signup#token=/);
    expect((await signUp(tokenOf(body.link))).status).toBe(201);
    const queued = await world.database.sql`select from jobs
      where kind = 'invite_mail' and payload::text like ${`%${body.id}%`}`;
    expect(queued).toHaveLength(0);
  });

  test("is sent once per address, also concurrently", async () => {
    const both = await Promise.all([invite(), invite(GRACE.toUpperCase())]);
    expect(both.map(({ status }) => status).toSorted()).toEqual([201, 409]);
    expectProblem(await invite(), 409, "already_invited");
    expectProblem(await invite("ada@example.org"), 409, "email_taken");
    expect(await audited()).toEqual([["invite.create", GRACE]]);
  });

  test("adds the user to its rooms and the default rooms, with nothing unread", async () => {
    const named = await world.room("named", admin);
    const common = await world.room("common", admin, [], "open");
    const archived = await world.room("archived", admin, [], "open");
    await world.room("other", admin, [], "open");
    await world.database
      .sql`update rooms set is_default = true where id in (${common}, ${archived})`;
    await world.database.sql`update rooms set is_archived = true where id = ${archived}`;
    await admin.post(`/api/rooms/${named}/messages`, { content: "before" });
    const { body } = await invite(GRACE, { room_ids: [named] });
    expect(body.room_ids).toEqual([named]);
    const answer = await signUp(tokenOf(body.link));
    const cookie = answer.headers.get("set-cookie")?.split(";")[0] ?? "";
    const rooms = await world.anonymous.call("GET", "/api/rooms", undefined, { cookie });
    const seen = (rooms.body as Page<MyRoom>).items.map(({ name, membership }) => [
      name,
      membership?.unread,
    ]);
    expect(seen).toEqual([
      ["common", false],
      ["named", false],
    ]);
  });

  test("refuses unknown rooms", async () => {
    const answer = await invite(GRACE, { room_ids: [Bun.randomUUIDv7()] });
    expectProblem(answer, 422, "validation");
    expect((await admin.get(`${PATH}?query=${GRACE}`)).body.items).toEqual([]);
  });

  test("is listed in pages and found by a prefix of the address", async () => {
    for (const name of ["a1", "a2", "b1"]) await invite(`paged-${name}@example.org`);
    const first = await admin.get(`${PATH}?query=paged&limit=2`);
    const second = await admin.get(`${PATH}?query=paged&limit=2&cursor=${first.body.next}`);
    const emails = [...first.body.items, ...second.body.items].map(({ email }) => email);
    expect(emails).toEqual(["b1", "a2", "a1"].map((name) => `paged-${name}@example.org`));
    expect(second.body.next).toBeNull();
    expect((await admin.get(`${PATH}?query=PAGED-A`)).body.items).toHaveLength(2);
  });
});
