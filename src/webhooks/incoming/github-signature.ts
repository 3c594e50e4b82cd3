import { createHmac, timingSafeEqual } from "node:crypto";
import { unseal } from "../../platform/sealed.ts";
import { Answer } from "./answer.ts";
import { GITHUB_SECRET, type HookDeps } from "./hooks.ts";

/**
 * Checks `X-Hub-Signature-256` where the hook has a secret: an HMAC-SHA256 over the body as it came,
 * compared in constant time (GitHub: "Validating webhook deliveries").
 * @throws Answer 401
 */
export async function checkSignature(
  { readKey }: Pick<HookDeps, "readKey">,
  sealed: Buffer | null,
  request: Request,
  body: Buffer,
): Promise<void> {
  if (sealed === null) return;
  const secret = unseal(await readKey(), GITHUB_SECRET, sealed);
  const wanted = Buffer.from(`sha256=${createHmac("sha256", secret).update(body).digest("hex")}`);
  const given = Buffer.from(request.headers.get("x-hub-signature-256") ?? "");
  if (given.length !== wanted.length || !timingSafeEqual(given, wanted)) {
    throw new Answer(401, "invalid_signature");
  }
}
