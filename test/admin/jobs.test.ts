import { afterAll, beforeAll, expect, test } from "bun:test";
import { type Client, expectProblem } from "../support/client.ts";
import { MailServer } from "../support/smtp.ts";
import { World } from "../support/world.ts";
import { eventually } from "../support/wait.ts";

let mails: MailServer;
let world: World;
let admin: Client;
beforeAll(async () => {
  mails = await MailServer.open("plain");
  world = await World.start();
  admin = await world.person("ada", { isSiteAdmin: true });
  await admin.put("/api/admin/settings/smtp", mails.settings);
});
afterAll(async () => {
  await world.stop();
  await mails.close();
});

const failed = async () => (await admin.get("/api/admin/jobs?state=failed")).body.items;

test("a mail that the server refused is listed as a failed job, without its payload, and can be retried", async () => {
  mails.refusals.push({ code: 550, words: "5.1.1 No such person here" });
  await admin.post("/api/admin/invites", { email: "grace@example.org" });
  await eventually(async () => (await failed()).length > 0);
  const [job] = await failed();
  expect(job).toMatchObject({ kind: "invite_mail", attempts: 1 });
  expect(job.last_error).toContain("550 5.1.1 No such person here");
  expect(Object.keys(job)).not.toContain("payload");
  const answer = await admin.post(`/api/admin/jobs/${job.id}/retry`);
  expect(answer).toMatchObject({ status: 200, body: { id: job.id, state: "waiting" } });
  expect((await mails.next()).to).toEqual(["grace@example.org"]);
  expect(await failed()).toEqual([]);
  expectProblem(await admin.post(`/api/admin/jobs/${job.id}/retry`), 404, "not_found");
  expectProblem(await admin.get("/api/admin/jobs?state=waiting"), 422, "validation");
});
