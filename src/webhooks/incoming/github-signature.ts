import { createHmac, timingSafeEqual } from "node:crypto";
import { Refusal } from "../../platform/refusal.ts";
import { unsealValue } from "../../platform/sealed.ts";
import type { ReadKey } from "../../platform/secrets.ts";

/** Names the secret's use, for `sealValue` and for the command that rotates the secret key. */
export const GITHUB_SECRET = "GitHub secret of a webhook";

/**
 * Checks `X-Hub-Signature-256`, an HMAC-SHA256 of the body as it was sent, in constant time
 * (GitHub: "Validating webhook deliveries").
 * @param sealed the webhook's secret
 * @throws Refusal `unauthenticated`
 */
export async function checkGithubSignature(
  readKey: ReadKey,
  sealed: Buffer,
  request: Request,
  body: Buffer,
): Promise<void> {
  const secret = unsealValue(await readKey(), GITHUB_SECRET, sealed);
  const mac = createHmac("sha256", secret).update(body).digest("hex");
  const expected = Buffer.from(`sha256=${mac}`);
  const actual = Buffer.from(request.headers.get("x-hub-signature-256") ?? "");
  if (actual.length !== expected.length || !timingSafeEqual(actual, expected)) {
    throw new Refusal("unauthenticated", "The signature does not match the webhook's secret.");
  }
}
