import { afterAll, beforeAll, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createEgress } from "../../../src/platform/egress/egress.ts";
import { parseEgressAllow } from "../../../src/platform/egress/rules.ts";
import { Web } from "../../support/web.ts";

const read = (name: string) => readFileSync(join(import.meta.dir, "tls", name), "utf8");
const LIMITS = { maxBytes: 1_000, timeoutMs: 10_000 };

let web: Web;
beforeAll(async () => {
  web = await Web.open({ key: read("good.example.key.pem"), cert: read("good.example.pem") });
  web.put("/", "secret");
});
afterAll(() => web.close());

/** Every name leads to the server; only one of them is in its certificate. */
function egress(ca?: string) {
  const allow = parseEgressAllow(`127.0.0.1:${web.port}`);
  return createEgress({ allow, ca, resolve: async () => ["127.0.0.1"] });
}

test("https is spoken to the checked address, and the certificate is checked against the name", async () => {
  const door = egress(read("authority.pem"));
  const answer = await door.request(web.at("/", "good.example", "https"), LIMITS);
  expect(answer.status).toBe(200);
  answer.close();
});

test("a certificate for another name is refused, also right after a good one", async () => {
  const door = egress(read("authority.pem"));
  (await door.request(web.at("/", "good.example", "https"), LIMITS)).close();
  for (const host of ["bad.example", "127.0.0.1"]) {
    const answer = door.request(web.at("/", host, "https"), LIMITS);
    await expect(answer).rejects.toMatchObject({ reason: "untrusted" });
  }
});

test("a certificate of an unknown authority is refused", async () => {
  const answer = egress().request(web.at("/", "good.example", "https"), LIMITS);
  await expect(answer).rejects.toMatchObject({ reason: "untrusted" });
});
