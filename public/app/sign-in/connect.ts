import { ApiError } from "../connection/api.ts";
import type { Problem } from "../../../src/wire/codes.ts";
import type { ProofWay } from "../../../src/wire/sign-in.ts";
import { askForProof } from "../session/proof.ts";
import { startOf } from "./provider-links.tsx";

/**
 * Goes to a provider, to connect it with the account. Whether a proof is needed is checked before,
 * so that it is requested in a dialog and not on an error page.
 * @throws ApiError
 */
export async function connectProvider(slug: string): Promise<void> {
  const address = `${startOf(slug, "/profile/security")}&connect=1`;
  const response = await fetch(address, {
    redirect: "manual",
    headers: { accept: "application/json" },
  }).catch(() => Promise.reject(new ApiError("offline")));
  // The answer is a redirect to the provider, whose address scripts cannot see: the browser
  // requests it again.
  if (response.type === "opaqueredirect") return location.assign(address);
  const problem = (await response.json()) as Problem;
  const isProven =
    problem.code === "proof_needed" && (await askForProof((problem.ways ?? []) as ProofWay[]));
  if (!isProven) throw new ApiError(problem.code, problem.detail, response.status);
  location.assign(address);
}
